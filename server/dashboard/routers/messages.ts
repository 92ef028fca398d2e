import { z } from 'zod';
import { MESSAGE_TYPES } from '#server/core/message.ts';
import { MESSAGE_STATUSES } from '#server/core/message-state.ts';
import { readSendRequest } from '#server/core/send-requests.ts';
import { getMessageDetail } from '#server/messages/get-message.ts';
import { listMessages } from '#server/messages/list-messages.ts';
import { sendAgain, sendFromDashboard } from '#server/messages/send-from-dashboard.ts';
import { DateTime } from '../date-time.ts';
import { phoneText, recipientText } from '../phone-text.ts';
import { restAnswer } from '../rest-answer.ts';
import { memberProcedure, router } from '../trpc.ts';

const PAGE = 100;
/** How many messages a page may ask about at once, after news of them. */
const IDS_MAX = 200;

/** What a form makes of its fields. Whether it could be sent is for the API's own checks; these hold for what is no request at all. */
const FIELDS_MAX = 20;
const TriedRequest = z
  .record(
    z.string().max(64),
    z.union([
      z.string().max(20_000, { error: 'A field may have at most 20,000 characters.' }),
      z.number(),
      z.boolean(),
      z.null(),
    ]),
  )
  .refine((fields) => Object.keys(fields).length <= FIELDS_MAX, {
    error: `A request has at most ${FIELDS_MAX} fields.`,
  })
  .meta({ maxProperties: FIELDS_MAX });

/** An account's messages. */
export const messages = router({
  list: memberProcedure
    .input(
      z.object({
        numberId: z.string().max(64).optional(),
        status: z.enum(MESSAGE_STATUSES).optional(),
        type: z.enum(MESSAGE_TYPES).optional(),
        search: z.string().max(200).optional(),
        since: DateTime.optional(),
        until: DateTime.optional(),
        /** Those among these that the filters let through: how a list follows what changes. */
        ids: z.array(z.string().max(64)).max(IDS_MAX).optional(),
        cursor: z.number().int().nullish(),
      }),
    )
    .query(async ({ ctx, input: { cursor, since, until, ...filter } }) => {
      const { rows, next } = await listMessages(ctx, {
        ...filter,
        since: since === undefined ? undefined : new Date(since),
        until: until === undefined ? undefined : new Date(until),
        before: cursor ?? undefined,
        limit: filter.ids === undefined ? PAGE : IDS_MAX,
      });
      return { rows: rows.map((row) => ({ ...row, toText: recipientText(row.to) })), next };
    }),

  get: memberProcedure.input(z.object({ messageId: z.string().max(64) })).query(async ({ ctx, input }) => {
    const message = await getMessageDetail(ctx, input);
    const contact = message.content?.type === 'contact' ? phoneText(message.content.contactPhone) : null;
    return { ...message, toText: recipientText(message.to), contactPhoneText: contact };
  }),

  /** A request of the API, made by hand: the same checks, and the answer as a program would have got it. */
  tryIt: memberProcedure
    .input(
      z.object({
        numberId: z.string().max(64),
        type: z.enum(MESSAGE_TYPES),
        request: TriedRequest,
        async: z.boolean(),
      }),
    )
    .mutation(({ ctx, input: { numberId, type, request, async } }) =>
      restAnswer(
        sendFromDashboard(ctx, {
          numberId,
          read: () => readSendRequest(type, request),
          mode: async ? { kind: 'async', expiresInSeconds: null } : { kind: 'sync' },
        }),
      ),
    ),

  /** What a message said once more, as a new one. */
  sendAgain: memberProcedure
    .input(z.object({ messageId: z.string().max(64) }))
    .mutation(({ ctx, input }) => sendAgain(ctx, input)),
});
