import { getMessage as findMessage } from '#server/messages/get-message.ts';
import { readProcedure } from '../trpc.ts';
import { GetMessageAnswer, GetMessageRequest, getMessageMeta } from './get-message.types.ts';

export const getMessage = readProcedure
  .meta(getMessageMeta)
  .input(GetMessageRequest)
  .output(GetMessageAnswer)
  .query(async ({ ctx, input }) => {
    const message = await findMessage(
      { database: ctx.database, numberId: ctx.number.id },
      { messageId: input.id },
    );
    const { id, to, type, status, error } = message;
    return { success: true as const, data: { id, to, type, status, error } };
  });
