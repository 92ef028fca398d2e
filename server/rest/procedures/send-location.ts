import { SendAnswer } from '../envelope.ts';
import { send } from '../send.ts';
import { sendProcedure } from '../trpc.ts';
import { SendLocationRequest, sendLocationMeta } from './send-location.types.ts';

export const sendLocation = sendProcedure
  .meta(sendLocationMeta)
  .input(SendLocationRequest)
  .output(SendAnswer)
  .mutation(({ ctx, input: { to, latitude, longitude, name, address } }) =>
    send(ctx, to, { type: 'location', latitude, longitude, name, address }),
  );
