import { SendAnswer } from '../envelope.ts';
import { send } from '../send.ts';
import { sendProcedure } from '../trpc.ts';
import { SendDocumentRequest, sendDocumentMeta } from './send-document.types.ts';

export const sendDocument = sendProcedure
  .meta(sendDocumentMeta)
  .input(SendDocumentRequest)
  .output(SendAnswer)
  .mutation(({ ctx, input: { to, url, filename, caption } }) =>
    send(ctx, to, { type: 'document', url, filename, caption }),
  );
