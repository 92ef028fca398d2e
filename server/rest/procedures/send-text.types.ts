import { z } from 'zod';
import { tokenField } from '#server/core/request-fields.ts';
import { SEND_FIELDS } from '#server/core/send-requests.ts';
import { sendMeta } from './send-meta.ts';

export const sendTextMeta = sendMeta('/messages/text', {
  summary: 'Send a text',
  description: 'Any characters, line breaks and emoji included. Links get no preview.',
});

export const SendTextRequest = z.object({ token: tokenField(), ...SEND_FIELDS.text() });

export const sendTextExample = {
  to: '4915228817386',
  body: 'Your bike is ready. Pick it up any day until 18:00.',
};
