import { sql } from 'drizzle-orm';
import { bigint, boolean, index, integer, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { MESSAGE_TYPES, type MessageContent } from '#server/core/message.ts';
import { MESSAGE_STATUSES } from '#server/core/message-state.ts';
import type { Recipient } from '#server/core/recipient.ts';
import { accounts } from './accounts.ts';
import { apiKeys } from './api-keys.ts';
import { createdAt, instant, outcomeCode, publicId } from './columns.ts';
import { laneColumn } from './lane.ts';
import { numbers } from './numbers.ts';

/** A message: the truth about one accepted request. */
export const messages = pgTable(
  'messages',
  {
    id: publicId(),
    /** Order of admission on its number. */
    seq: bigint('seq', { mode: 'number' }).notNull().generatedAlwaysAsIdentity(),
    accountId: text('account_id')
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    numberId: text('number_id')
      .notNull()
      .references(() => numbers.id, { onDelete: 'cascade' }),
    /** Null when it was sent from the dashboard. */
    apiKeyId: text('api_key_id').references(() => apiKeys.id, { onDelete: 'set null' }),
    type: text('type', { enum: MESSAGE_TYPES }).notNull(),
    /** WhatsApp's chat id: `<digits>@c.us` or `<group>@g.us`. */
    recipient: text('recipient').$type<Recipient>().notNull(),
    /** Null when erased by retention. */
    content: jsonb('content').$type<MessageContent>(),
    status: text('status', { enum: MESSAGE_STATUSES }).notNull().default('queued'),
    lane: laneColumn('lane').notNull(),
    /** It waited while its number was linked again, and leaves only if its owner says so. */
    setAside: boolean('set_aside').notNull().default(false),
    /** Never dispatched after this. */
    deadlineAt: instant('deadline_at').notNull(),
    /** To somebody new, it waits until then; null for all others. */
    notBefore: instant('not_before'),
    mediaStatus: text('media_status', { enum: ['none', 'pending', 'ready', 'failed', 'erased'] }).notNull(),
    mediaMimeType: text('media_mime_type'),
    mediaBytes: integer('media_bytes'),
    mediaSha256: text('media_sha256'),
    /** The id that the message has at WhatsApp, stored before it leaves. */
    waMessageId: text('wa_message_id'),
    /** The fence under which it was dispatched. */
    fence: bigint('fence', { mode: 'number' }),
    dispatchedAt: instant('dispatched_at'),
    /** The build of WhatsApp Web that it left through; null before that was known. */
    pageBuild: text('page_build'),
    /** WhatsApp's server accepted it. */
    sentAt: instant('sent_at'),
    settledAt: instant('settled_at'),
    errorCode: outcomeCode('error_code'),
    /** What went wrong, as a sentence for its sender. */
    error: text('error'),
    requestId: text('request_id'),
    /** SHA-256 of endpoint and body; tells a repeat from another request. Null when erased by retention. */
    requestHash: text('request_hash'),
    /** SHA-256 of what the caller sent. */
    idempotencyKey: text('idempotency_key'),
    /** The web process whose caller waits for the outcome. */
    webId: text('web_id'),
    /** The outcome was written to its caller. */
    answered: boolean('answered').notNull().default(false),
    /** The caller hung up before the answer. */
    callerLeftAt: instant('caller_left_at'),
    /** From its request to the hang-up, the last one where several callers left; null when none did. */
    hungUpAfterMs: integer('hung_up_after_ms'),
    createdAt: createdAt(),
  },
  (t) => [
    // The next message of a number, and how many wait.
    index('messages_waiting').on(t.numberId, t.lane, t.seq).where(sql`status = 'queued'`),
    // What is under way or unclear on a number.
    index('messages_open').on(t.numberId).where(sql`status in ('sending', 'unknown')`),
    // The message list of an account, newest first: read backwards, because "desc" here would put nulls last
    // and then serve no "order by seq desc".
    index('messages_of_account').on(t.accountId, t.seq),
    // A day of the message list, and the overview's counts.
    index('messages_of_account_by_time').on(t.accountId, t.createdAt),
    // The last ones that left a number: failures in a row.
    index('messages_dispatched').on(t.numberId, t.dispatchedAt).where(sql`dispatched_at is not null`),
    // Acknowledgements name the message by WhatsApp's id.
    uniqueIndex('messages_wa_id').on(t.numberId, t.waMessageId).where(sql`wa_message_id is not null`),
    uniqueIndex('messages_idempotency')
      .on(t.numberId, t.idempotencyKey)
      .where(sql`idempotency_key is not null`),
    // What retention erases: texts, and the hashes that tell repeats.
    index('messages_erasable')
      .on(t.accountId, t.createdAt)
      .where(sql`content is not null or request_hash is not null`),
    // Files that are kept.
    index('messages_files').on(t.settledAt).where(sql`media_status in ('pending', 'ready')`),
    // The keys whose programs hang up before the answer.
    index('messages_hung_up').on(t.accountId, t.createdAt).where(sql`hung_up_after_ms is not null`),
    // What was cancelled lately because a plan ended or shrank.
    index('messages_plan_ended')
      .on(t.settledAt)
      .where(sql`status = 'cancelled' and error_code = 'plan_ended'`),
    // A repeat of a request whose caller hung up.
    index('messages_repeat').on(t.numberId, t.requestHash).where(sql`answered = false`),
  ],
);

/** A message's timeline. */
export const messageEvents = pgTable(
  'message_events',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    messageId: text('message_id')
      .notNull()
      .references(() => messages.id, { onDelete: 'cascade' }),
    event: text('event', {
      enum: [
        'accepted',
        'media_ready',
        'slot_claimed',
        'recipient_resolved',
        'handed_over',
        'sent',
        'delivered',
        'read',
        'failed',
        'unknown',
        'expired',
        'cancelled',
      ],
    }).notNull(),
    detail: text('detail'),
    at: instant('at').notNull().default(sql`clock_timestamp()`),
  },
  (t) => [index('message_events_of_message').on(t.messageId, t.id)],
);

/** Whom a number has looked up: somebody known counts for 7 days, somebody absent for 10 minutes, or 3 days where it is protected. */
export const lookUps = pgTable(
  'look_ups',
  {
    numberId: text('number_id')
      .notNull()
      .references(() => numbers.id, { onDelete: 'cascade' }),
    digits: text('digits').notNull(),
    found: boolean('found').notNull(),
    at: instant('at').notNull().default(sql`clock_timestamp()`),
  },
  (t) => [uniqueIndex('look_ups_key').on(t.numberId, t.digits)],
);
