import { SendAnswer } from '../envelope.ts';
import { send } from '../send.ts';
import { sendProcedure } from '../trpc.ts';
import { SendImageRequest, sendImageMeta } from './send-image.types.ts';

export const sendImage = sendProcedure
  .meta(sendImageMeta)
  .input(SendImageRequest)
  .output(SendAnswer)
  .mutation(({ ctx, input: { to, url, caption } }) => send(ctx, to, { type: 'image', url, caption }));
