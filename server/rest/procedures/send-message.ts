import { z } from 'zod';
import { KINDS } from '#server/core/kinds/index.ts';
import { contentOf, MESSAGE_TYPES, type MessageType } from '#server/core/message.ts';
import { SAME_REQUEST } from '#server/core/outcomes.ts';
import { ASYNC_DEADLINE_SECONDS } from '#server/core/pacing/waits.ts';
import { referenceField, tokenField } from '#server/core/request-fields.ts';
import { requestFields } from '#server/core/send-requests.ts';
import { SendAnswer } from '../envelope.ts';
import { send } from '../send.ts';
import { sendProcedure } from '../trpc.ts';

/** The headers of a send, for the document; `send-options.ts` reads them. */
const SendHeaders = z.object({
  'Idempotency-Key': z
    .string()
    .regex(/^[\x20-\x7e]{1,255}$/)
    .optional()
    .meta({
      description: `Makes retries safe: for 24 hours (for a scheduled message, until 24 hours after its time), a request with the same key, ${SAME_REQUEST} on the same number sends only if the first message was definitely not sent. Otherwise the response is about the first message. Use one key for each message, such as \`order-1042-ready\`, not one for each order. Keep values that change between retries, such as a timestamp, out of the body: another request with the same key gets 400.`,
    }),
  Prefer: z.string().optional().meta({
    description:
      '`respond-async`: respond with 202 as soon as the message is accepted. `wait=N`: wait up to N seconds for the outcome. If there is none by then, respond with 202, and the message continues like an async one.',
  }),
  'X-Reference': z.string().max(128).optional().meta({
    description:
      'Your own ID for the message, such as an order number: the same as the field `reference`. Requests with different references are different messages, even with the same body.',
  }),
  'X-Send-At': z.iso.datetime({ offset: true }).optional().meta({
    description:
      'Schedules the message for this time, up to 30 days ahead: RFC 3339 with an offset. The response is 202 with `queued`, and `X-Estimated-Send-At` estimates when it will be sent. Its file is fetched now. `X-Expires-In` counts from this time.',
  }),
  'X-Dry-Run': z.enum(['true', 'false']).optional().meta({
    description:
      '`true`: check the request, including the file at `url` and the room in the queue, but store and send nothing. Errors are the same as for a real request. Otherwise the response is 200 with `status` `valid`, an empty `id` and `X-Estimated-Wait`. If the real request would repeat an earlier one and send nothing, `Idempotency-Replayed` and `X-Message-Id` say so instead. It counts towards the rate limit.',
  }),
  'X-Expires-In': z.int().min(1).max(ASYNC_DEADLINE_SECONDS).optional().meta({
    description:
      'Seconds after which a message that still waits expires and is not sent. Default: 24 hours, and 40 seconds for a sync request, which a larger value does not prolong.',
  }),
});

/** `POST /messages/<type>`. */
function procedureOf(type: MessageType) {
  const { summary, description } = KINDS[type];
  return sendProcedure
    .meta({
      openapi: {
        method: 'POST',
        path: sendPath(type),
        tags: ['Messages'],
        summary,
        description,
        requestHeaders: SendHeaders,
        successDescription: 'WhatsApp’s server has accepted the message.',
        errorResponses: [],
      },
    })
    .input(z.object({ token: tokenField(), reference: referenceField(), ...requestFields(type) }))
    .output(SendAnswer)
    .mutation(({ ctx, input }) =>
      send(ctx, { recipient: input.to, content: contentOf(type, input), reference: input.reference }),
    );
}

export const sendPath = (type: MessageType) => `/messages/${type}` as const;

/** `sendText`, `sendImage` and so on. */
export const sendProcedures = Object.fromEntries(
  MESSAGE_TYPES.map((type) => [`send${type[0]?.toUpperCase()}${type.slice(1)}`, procedureOf(type)]),
);
