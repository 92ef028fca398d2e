import { z } from 'zod';
import { MESSAGE_TYPES } from '#server/core/message.ts';
import { phoneText, recipientText } from '#server/core/phone-text.ts';
import { readSendRequest } from '#server/core/send-requests.ts';
import { dismissMessage } from '#server/messages/dismiss-message.ts';
import { getMessageDetail } from '#server/messages/get-message.ts';
import { listMessages } from '#server/messages/list-messages.ts';
import { sendAgain, sendFromDashboard } from '#server/messages/send-from-dashboard.ts';
import { digest } from '#server/platform/digest.ts';
import { MessageFilters, withDates } from '../list-filters.ts';
import { restAnswer } from '../rest-answer.ts';
import { memberProcedure, router } from '../trpc.ts';

const PAGE = 100;
/** How many changed messages a page may load at once. */
const IDS_MAX = 200;

/** The fields of a form. The API's own checks decide whether they can be sent; these only limit their size. */
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

export const messages = router({
  list: memberProcedure
    .input(
      MessageFilters.extend({
        /** Only these, as far as they match the filters: for a list that follows changes. */
        ids: z.array(z.string().max(64)).max(IDS_MAX).optional(),
        cursor: z.number().int().nullish(),
      }),
    )
    .query(async ({ ctx, input: { cursor, ...filter } }) => {
      const { rows, ...page } = await listMessages(ctx, {
        ...withDates(filter),
        before: cursor ?? undefined,
        limit: filter.ids === undefined ? PAGE : IDS_MAX,
      });
      return { rows: rows.map((row) => ({ ...row, toText: recipientText(row.to) })), ...page };
    }),

  get: memberProcedure.input(z.object({ messageId: z.string().max(64) })).query(async ({ ctx, input }) => {
    const message = await getMessageDetail(ctx, input);
    const contact = message.content?.type === 'contact' ? phoneText(message.content.contactPhone) : null;
    const { earlierPhone: earlier } = message;
    return {
      ...message,
      toText: recipientText(message.to),
      contactPhoneText: contact,
      earlierPhone: earlier && { text: earlier.phone === null ? null : phoneText(earlier.phone) },
    };
  }),

  /** A request of the API from a form: the same checks and the same answer. */
  tryIt: memberProcedure
    .input(
      z.object({
        numberId: z.string().max(64),
        type: z.enum(MESSAGE_TYPES),
        request: TriedRequest,
        async: z.boolean(),
        /** The form's ID of this attempt: after a lost response the same request joins the first message. */
        attempt: z.string().min(1).max(64).optional(),
      }),
    )
    .mutation(({ ctx, input: { numberId, type, request, async, attempt } }) =>
      restAnswer(
        sendFromDashboard(ctx, {
          numberId,
          read: () => readSendRequest(type, request),
          mode: async ? { kind: 'async', expiresInSeconds: null } : { kind: 'sync' },
          // Callers' keys are stored as hashes without spaces, so none is equal.
          onceKey: attempt ? `attempt ${digest(JSON.stringify([attempt, type, request]))}` : null,
        }),
      ),
    ),

  /** Takes a message out of the overview's list of those that need attention. */
  dismiss: memberProcedure
    .input(z.object({ messageId: z.string().max(64) }))
    .mutation(({ ctx, input }) => dismissMessage(ctx, input)),

  /** Sends the contents of a message again, as a new one. */
  sendAgain: memberProcedure
    .input(
      z.object({
        messageId: z.string().max(64),
        sentAgainAs: z.string().max(64).nullish(),
        /** Instead, for a page that does not know it: after a lost response the same attempt joins the first message. */
        attempt: z.string().min(1).max(64).optional(),
        atItsTime: z.boolean().optional(),
      }),
    )
    .mutation(({ ctx, input }) => sendAgain(ctx, input)),
});
