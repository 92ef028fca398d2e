import { EXAMPLE_TO } from '#server/core/examples.ts';
import type { EventType } from '#server/core/webhooks/events.ts';
import { EXAMPLE_IDS } from './example-of.ts';

export const EVENT_MEANINGS: Record<EventType, string> = {
  'message.sent': 'WhatsApp’s server confirmed the message.',
  'message.delivered': 'The message is on the recipient’s phone.',
  'message.read': 'The recipient opened the message.',
  'message.failed': 'The message was definitely not sent. `errorCode` says why.',
  'message.unknown':
    'The message may have been sent. Another event follows if its outcome becomes known. Do not send it again with a new Idempotency-Key, or without one.',
  'message.expired': 'The deadline passed before the message could be sent. It was definitely not sent.',
  'message.cancelled': 'The message was cancelled while it waited. It was definitely not sent.',
  'number.status': 'The state of a number changed, for example from `CONNECTED` to `LOGGED_OUT`.',
};

/** The body of a request to an endpoint, about a message. */
export const EVENT_EXAMPLE = {
  type: 'message.delivered',
  timestamp: '2026-03-01T08:00:04.120Z',
  data: {
    id: EXAMPLE_IDS.message,
    reference: 'order-1042',
    sequence: 2,
    status: 'delivered',
    errorCode: null,
    error: null,
    kind: 'text',
    to: `${EXAMPLE_TO}@c.us`,
    number: '4915110000001',
    numberId: 'num_01kam2x8q0v3h7t5n9c4w6r1e2',
    createdAt: '2026-03-01T08:00:01.002Z',
    sentAt: '2026-03-01T08:00:02.871Z',
    deliveredAt: '2026-03-01T08:00:04.118Z',
    readAt: null,
  },
} as const;
