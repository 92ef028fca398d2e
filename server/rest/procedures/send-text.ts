import { SendAnswer } from '../envelope.ts';
import { send } from '../send.ts';
import { sendProcedure } from '../trpc.ts';
import { SendTextRequest, sendTextMeta } from './send-text.types.ts';

export const sendText = sendProcedure
  .meta(sendTextMeta)
  .input(SendTextRequest)
  .output(SendAnswer)
  .mutation(({ ctx, input: { to, body } }) => send(ctx, to, { type: 'text', body }));
