import { z } from 'zod';
import { MESSAGE_TYPES } from '#server/core/message.ts';
import { MESSAGE_STATUSES } from '#server/core/message-state.ts';
import { API_ERROR_CODES } from '#server/core/outcomes.ts';
import { recipientField, referenceField, timeField } from '#server/core/request-fields.ts';
import type { MessageCursor, MessageRecord } from '#server/messages/get-message.ts';
import { successOf } from '../envelope.ts';
import { operationsOf } from '../operation.ts';

const meta = operationsOf('Messages');

export const getMessageMeta = meta('GET', '/messages/{id}', {
  summary: 'Get a message and its outcome',
  description: 'Any message of the key’s number, by the `id` of its response or by `X-Message-Id`.',
  successDescription: 'The message.',
});
export const listMessagesMeta = meta('GET', '/messages', {
  summary: 'List messages',
  description:
    'The messages of the key’s number, newest first. Filters can be combined. `next` is the `cursor` of the next page, or null on the last page.',
  successDescription: 'A page of messages.',
});
export const cancelMessageMeta = meta('POST', '/messages/{id}/cancel', {
  summary: 'Cancel a message',
  description:
    'Cancels a waiting or scheduled message. A message that was given to WhatsApp Web or has ended does not change: the response is 409, with its state in `X-Message-Status`.',
  successDescription: 'The cancelled message.',
});

/** The most that a request line can hold. A lower limit would report an unknown ID as invalid. */
const ID_CHARS_MAX = 16 * 1024;
const PAGE_MAX = 100;
const PAGE_DEFAULT = 50;

export const MessageRequest = z.object({
  id: z.string().max(ID_CHARS_MAX).meta({ description: 'The message’s identifier.' }),
});

const timeOf = (field: string, description: string) =>
  timeField(field)
    .transform((text) => new Date(text))
    .meta({ type: 'string', description })
    .optional();

const LIMIT_CHARS_MAX = 3;
const LIMIT_WRONG = `limit must be a whole number from 1 to ${PAGE_MAX}.`;
/** Longer than any cursor that this version writes. */
const CURSOR_CHARS_MAX = 100;
const CURSOR_WRONG = 'cursor is not valid. Use "next" of the page before.';

export const ListMessagesRequest = z.object({
  // An empty one would list all messages, as if they were those of an order without a number.
  reference: referenceField()
    .unwrap()
    .refine((text) => text !== undefined, {
      error: 'reference is empty. Send your ID of a message, or omit the filter.',
    })
    .meta({ type: 'string', description: 'Messages with this ID of yours.' })
    .optional(),
  status: z
    .enum(MESSAGE_STATUSES, { error: `status must be one of ${MESSAGE_STATUSES.join(', ')}.` })
    .meta({ description: 'Messages in this state.' })
    .optional(),
  to: recipientField().optional(),
  since: timeOf('since', 'Accepted at this time or later.'),
  until: timeOf('until', 'Accepted before this time.'),
  limit: z
    .string()
    .max(LIMIT_CHARS_MAX, { error: LIMIT_WRONG, abort: true })
    .regex(/^\d+$/, { error: LIMIT_WRONG, abort: true })
    .transform(Number)
    .refine((limit) => limit >= 1 && limit <= PAGE_MAX, { error: LIMIT_WRONG })
    .default(PAGE_DEFAULT)
    .meta({ type: 'integer', description: `Messages in a page: 1 to ${PAGE_MAX}.` }),
  cursor: z
    .string()
    .max(CURSOR_CHARS_MAX, { error: CURSOR_WRONG, abort: true })
    .transform((text, ctx): MessageCursor => {
      const cursor = readCursor(text);
      if (cursor) return cursor;
      ctx.addIssue({
        code: 'custom',
        message: CURSOR_WRONG,
        input: text,
      });
      return z.NEVER;
    })
    .meta({ type: 'string', description: '`next` of the previous page.' })
    .optional(),
});

const time = (description: string) => z.string().nullable().meta({ format: 'date-time', description });

export const Message = z
  .object({
    id: z.string().meta({ description: 'The message’s identifier.' }),
    to: z.string().meta({ description: 'The recipient as WhatsApp names it.' }),
    type: z.enum(MESSAGE_TYPES).meta({ description: 'The kind of message.' }),
    status: z.enum(MESSAGE_STATUSES).meta({
      description:
        '`queued`: waits for its slot. `sending`: given to WhatsApp Web, not yet confirmed by WhatsApp. `sent`: WhatsApp’s server confirmed it. `delivered`: on the recipient’s phone. `read`: opened. `failed`, `expired`, `cancelled`: definitely not sent. `unknown`: may have been sent; changes when WhatsApp shows the outcome.',
    }),
    error: z.string().nullable().meta({ description: 'What went wrong, in a sentence, or null.' }),
    errorCode: z
      .enum(API_ERROR_CODES)
      .nullable()
      .meta({ description: 'The same as a code, or null. Use this code in programs, never the sentence.' }),
    reference: z.string().nullable().meta({ description: 'Your own ID for the message, or null.' }),
    createdAt: z.string().meta({ format: 'date-time', description: 'When it was accepted.' }),
    sendAt: time('When it was scheduled for, or null.'),
    sentAt: time(
      'When WhatsApp’s server confirmed it, or null. If it was `unknown` before: when its outcome became known. It may have been sent earlier.',
    ),
    deliveredAt: time(
      'When it was reported as delivered, or as read if that came first, or null. The report comes late if the number was not connected.',
    ),
    readAt: time(
      'When it was reported as read, or null. The report comes late if the number was not connected.',
    ),
    events: z
      .array(
        z.object({
          event: z.string().meta({
            description:
              'A state of the message, or one of these. `accepted`: its request was accepted. `media_ready`: its file was downloaded. `slot_claimed`: its turn came. `recipient_resolved`: the recipient is on WhatsApp. `handed_over`: given to WhatsApp Web, not yet confirmed by WhatsApp. `repeated`: the same request came again, and nothing was sent twice.',
          }),
          at: z.string().meta({
            format: 'date-time',
            description: 'When it happened. A state after `unknown`: when it became known.',
          }),
        }),
      )
      .meta({ description: 'The message’s states, in order.' }),
  })
  .meta({ id: 'Message' });

export const MessageAnswer = successOf(Message).meta({ id: 'MessageAnswer' });
export const MessagesAnswer = successOf(
  z.object({
    messages: z.array(Message).meta({ description: 'The messages, newest first.' }),
    next: z
      .string()
      .nullable()
      .meta({ description: 'The `cursor` of the next page; null on the last page.' }),
  }),
).meta({ id: 'MessagesAnswer' });

/** A message as the API shows it. */
export function messageOf(message: MessageRecord): z.infer<typeof Message> {
  const { id, to, type, status, error, errorCode, reference, events } = message;
  const iso = (at: Date | null) => at?.toISOString() ?? null;
  return {
    ...{ id, to, type, status, error, reference },
    errorCode: errorCode as z.infer<typeof Message>['errorCode'],
    createdAt: message.createdAt.toISOString(),
    sendAt: iso(message.sendAt),
    sentAt: iso(message.sentAt),
    deliveredAt: iso(message.deliveredAt),
    readAt: iso(message.readAt),
    events: events.map(({ event, at }) => ({ event, at: at.toISOString() })),
  };
}

/** A cursor is opaque to callers. Its first part is a version, which reveals a cursor of another form. */
export function writeCursor({ createdAt, seq }: MessageCursor): string {
  return Buffer.from(`1.${createdAt.getTime()}.${seq}`).toString('base64url');
}

function readCursor(text: string): MessageCursor | null {
  const found = /^1\.(\d{1,15})\.(\d{1,15})$/.exec(Buffer.from(text, 'base64url').toString());
  return found ? { createdAt: new Date(Number(found[1])), seq: Number(found[2]) } : null;
}
