import { SendAnswer } from '../envelope.ts';
import { send } from '../send.ts';
import { sendProcedure } from '../trpc.ts';
import { SendContactRequest, sendContactMeta } from './send-contact.types.ts';

export const sendContact = sendProcedure
  .meta(sendContactMeta)
  .input(SendContactRequest)
  .output(SendAnswer)
  .mutation(({ ctx, input: { to, contactName, contactPhone } }) =>
    send(ctx, to, { type: 'contact', contactName, contactPhone }),
  );
