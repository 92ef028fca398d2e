import { getMessage as findMessage, listNumberMessages } from '#server/messages/get-message.ts';
import { cancelMessage as cancelWaitingMessage } from '#server/numbers/cancel-message.ts';
import { bodilessProcedure, readProcedure } from '../trpc.ts';
import * as types from './messages.types.ts';

/** The messages of the key's number. */
export const messageProcedures = {
  getMessage: readProcedure
    .meta(types.getMessageMeta)
    .input(types.MessageRequest)
    .output(types.MessageAnswer)
    .query(async ({ ctx, input }) => {
      const scope = { database: ctx.database, numberId: ctx.number.id };
      const message = await findMessage(scope, { messageId: input.id });
      return { success: true as const, data: types.messageOf(message) };
    }),
  listMessages: readProcedure
    .meta(types.listMessagesMeta)
    .input(types.ListMessagesRequest)
    .output(types.MessagesAnswer)
    .query(async ({ ctx, input: { cursor, ...filter } }) => {
      const scope = { database: ctx.database, numberId: ctx.number.id };
      const { messages, next } = await listNumberMessages(scope, { ...filter, after: cursor ?? null });
      const page = { messages: messages.map(types.messageOf), next: next && types.writeCursor(next) };
      return { success: true as const, data: page };
    }),
  cancelMessage: bodilessProcedure
    .meta(types.cancelMessageMeta)
    .input(types.MessageRequest)
    .output(types.MessageAnswer)
    .mutation(async ({ ctx, input }) => {
      const { accountId } = ctx.caller;
      const context = { database: ctx.database, accountId, numberId: ctx.number.id };
      const message = await cancelWaitingMessage(context, { messageId: input.id });
      ctx.answer.messageId = message.id;
      return { success: true as const, data: types.messageOf(message) };
    }),
};
