import { getMessage } from './procedures/get-message.ts';
import { getNumber } from './procedures/get-number.ts';
import { getStatus } from './procedures/get-status.ts';
import { sendAudio } from './procedures/send-audio.ts';
import { sendContact } from './procedures/send-contact.ts';
import { sendDocument } from './procedures/send-document.ts';
import { sendImage } from './procedures/send-image.ts';
import { sendLocation } from './procedures/send-location.ts';
import { sendText } from './procedures/send-text.ts';
import { router } from './trpc.ts';

/** The customers' API, below `/v1`. */
export const restRouter = router({
  sendText,
  sendImage,
  sendDocument,
  sendLocation,
  sendContact,
  sendAudio,
  getStatus,
  getNumber,
  getMessage,
});
