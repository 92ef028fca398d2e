import { SendAnswer } from '../envelope.ts';
import { send } from '../send.ts';
import { sendProcedure } from '../trpc.ts';
import { SendAudioRequest, sendAudioMeta } from './send-audio.types.ts';

export const sendAudio = sendProcedure
  .meta(sendAudioMeta)
  .input(SendAudioRequest)
  .output(SendAnswer)
  .mutation(({ ctx, input: { to, url } }) => send(ctx, to, { type: 'audio', url }));
