import type { OpenAPIObject } from 'trpc-openapi';
import { z } from 'zod';
import { ANNOUNCED_STATUSES } from '#server/core/message-state.ts';
import { NUMBER_STATUSES } from '#server/core/number-state.ts';
import { EVENT_TYPES } from '#server/core/webhooks/events.ts';
import { TEST_EVENT_TYPE } from '#server/core/webhooks/inspect.ts';
import { Message } from './procedures/messages.types.ts';
import { EVENT_EXAMPLE } from './reference/events.ts';

const timestamp = z.string().meta({ format: 'date-time', description: 'When it happened.' });
const number = z
  .string()
  .nullable()
  .meta({ description: 'The number, digits only; null if it was never linked.' });
const numberId = z.string().meta({ description: 'Identifier of the number.' });
const sequence = z.int().meta({
  description:
    'Increases with each event of the same `id`. Ignore an event whose `sequence` is not higher than the last one that you processed for that `id`.',
});

const MessageEvent = z.object({
  type: z.enum(EVENT_TYPES).exclude(['number.status']),
  timestamp,
  data: Message.pick({ id: true, to: true, error: true, errorCode: true, reference: true, createdAt: true })
    .extend(Message.pick({ sentAt: true, deliveredAt: true, readAt: true }).shape)
    .extend({ status: z.enum(ANNOUNCED_STATUSES), kind: Message.shape.type, sequence, number, numberId }),
});

const NumberEvent = z.object({
  type: z.literal('number.status'),
  timestamp,
  data: z.object({
    id: numberId,
    status: z.enum(NUMBER_STATUSES),
    previousStatus: z.enum(NUMBER_STATUSES),
    reason: z.string().nullable().meta({ description: 'Why, in a sentence, or null.' }),
    sequence,
    number,
    numberId,
  }),
});

/** Sent only to the endpoint that it tests, whatever that subscribes to. */
const TestEvent = z.object({
  type: z.literal(TEST_EVENT_TYPE),
  timestamp,
  data: z.object({ id: z.string().meta({ description: 'The endpoint’s identifier.' }), sequence }),
});

/** The body of a request to a webhook endpoint. */
export const WebhookEvent = z.union([MessageEvent, NumberEvent, TestEvent]).meta({ id: 'WebhookEvent' });

/** What endpoints receive, as OpenAPI 3.1 describes it. */
export const documentedWebhooks: NonNullable<OpenAPIObject['webhooks']> = {
  event: {
    post: {
      operationId: 'receiveEvent',
      // It goes from Wirebird to the endpoint, and its signature proves the sender.
      security: [],
      summary: 'An event of a message or a number',
      description:
        'Signed according to Standard Webhooks. Respond with a status from 200 to 299 within 10 seconds.',
      requestBody: {
        required: true,
        content: {
          'application/json': {
            schema: { $ref: '#/components/schemas/WebhookEvent' },
            example: EVENT_EXAMPLE,
          },
        },
      },
      responses: { '2XX': { description: 'The event arrived.' } },
    },
  },
};
