import { sql } from 'drizzle-orm';
import { bigint, boolean, index, integer, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { MESSAGE_TYPES, type MessageContent } from '#server/core/message.ts';
import { MESSAGE_STATUSES } from '#server/core/message-state.ts';
import type { Recipient } from '#server/core/recipient.ts';
import { ofAccount } from './accounts.ts';
import { apiKeys } from './api-keys.ts';
import { createdAt, instant, outcomeCode, outcomeFact, publicId } from './columns.ts';
import { laneColumn } from './lane.ts';
import { ofNumber } from './numbers.ts';

/** A message: the truth about one accepted request. */
export const messages = pgTable(
  'messages',
  {
    id: publicId(),
    /** Order of admission on its number. */
    seq: bigint('seq', { mode: 'number' }).notNull().generatedAlwaysAsIdentity(),
    accountId: ofAccount(),
    numberId: ofNumber(),
    /** Null when it was sent from the dashboard. */
    apiKeyId: text('api_key_id').references(() => apiKeys.id, { onDelete: 'set null' }),
    type: text('type', { enum: MESSAGE_TYPES }).notNull(),
    /** WhatsApp's chat id: `<digits>@c.us` or `<group>@g.us`. */
    recipient: text('recipient').$type<Recipient>().notNull(),
    /** Null when erased by retention. */
    content: jsonb('content').$type<MessageContent>(),
    status: text('status', { enum: MESSAGE_STATUSES }).notNull().default('queued'),
    lane: laneColumn('lane').notNull(),
    /** It waited when its number lost its link or was suspended, and is sent only if its owner decides so. */
    setAside: boolean('set_aside').notNull().default(false),
    /** Never dispatched after this. */
    deadlineAt: instant('deadline_at').notNull(),
    /** Of a message to a new contact: not dispatched before. Null for all others. */
    notBefore: instant('not_before'),
    /** When its sender wants it sent; null for as soon as possible. Not dispatched before. */
    sendAt: instant('send_at'),
    mediaStatus: text('media_status', { enum: ['none', 'pending', 'ready', 'failed', 'erased'] }).notNull(),
    mediaMimeType: text('media_mime_type'),
    mediaBytes: integer('media_bytes'),
    mediaSha256: text('media_sha256'),
    /** The message's id at WhatsApp, stored before the dispatch. */
    waMessageId: text('wa_message_id'),
    /** The lease's fence at the claim. */
    fence: bigint('fence', { mode: 'number' }),
    dispatchedAt: instant('dispatched_at'),
    /** The build of WhatsApp Web that dispatched it; null before that was recorded. */
    pageBuild: text('page_build'),
    /** WhatsApp's server accepted it. */
    sentAt: instant('sent_at'),
    settledAt: instant('settled_at'),
    errorCode: outcomeCode('error_code'),
    /** Which sentence of its code tells why, and what that names; null if the code has only one. */
    outcome: outcomeFact('outcome'),
    requestId: text('request_id'),
    /** SHA-256 of endpoint and body; recognizes a repeated request. Null when erased by retention. */
    requestHash: text('request_hash'),
    /** SHA-256 of the caller's `Idempotency-Key`. */
    idempotencyKey: text('idempotency_key'),
    /** The message from which it took over its key, because that one was certainly not sent or is a day old. */
    keyTakenFrom: text('key_taken_from'),
    /** The caller's own ID for it, such as an order number. */
    reference: text('reference'),
    /** The message that a person sent again as this one. It may have been deleted since. */
    repeats: text('repeats'),
    /** How many events it has had: the `sequence` of the last one. */
    eventSequence: integer('event_sequence').notNull().default(0),
    /** The web process whose caller waits for the outcome. */
    webId: text('web_id'),
    /** The outcome was written to its caller. */
    answered: boolean('answered').notNull().default(false),
    /** When the caller hung up before the answer. */
    callerLeftAt: instant('caller_left_at'),
    /** From the request to the hang-up, the last one if several callers left; null if none did. */
    hungUpAfterMs: integer('hung_up_after_ms'),
    /** When a member took it out of the overview's "Needs attention"; null if nobody did. */
    dismissedAt: instant('dismissed_at'),
    createdAt: createdAt(),
  },
  (t) => [
    // Claim and admission: a number's next message, and how many wait.
    index('messages_waiting').on(t.numberId, t.lane, t.seq).where(sql`status = 'queued'`),
    // Messages of a number that are being sent or unknown, to resolve them.
    index('messages_open').on(t.numberId).where(sql`status in ('sending', 'unknown')`),
    // The message list of an account, newest first: read backwards, because "desc" here would put nulls last
    // and then serve no "order by seq desc".
    index('messages_of_account').on(t.accountId, t.seq),
    // A day of the message list, and the overview's counts.
    index('messages_of_account_by_time').on(t.accountId, t.createdAt),
    // A number's latest dispatches: failures in a row, and its health.
    index('messages_dispatched').on(t.numberId, t.dispatchedAt).where(sql`dispatched_at is not null`),
    // Acknowledgements name the message by WhatsApp's id.
    uniqueIndex('messages_wa_id').on(t.numberId, t.waMessageId).where(sql`wa_message_id is not null`),
    // A repeated request with the same Idempotency-Key.
    uniqueIndex('messages_idempotency')
      .on(t.numberId, t.idempotencyKey)
      .where(sql`idempotency_key is not null`),
    // The list of a number's messages in the API, newest first, by each of its filters.
    index('messages_of_number').on(t.numberId, t.createdAt, t.seq),
    index('messages_of_number_by_status').on(t.numberId, t.status, t.createdAt, t.seq),
    index('messages_of_number_by_recipient').on(t.numberId, t.recipient, t.createdAt, t.seq),
    index('messages_reference')
      .on(t.numberId, t.reference, t.createdAt, t.seq)
      .where(sql`reference is not null`),
    // Scheduled messages of a number, in order: the estimate of a further one.
    index('messages_scheduled')
      .on(t.numberId, t.sendAt)
      .where(sql`status = 'queued' and send_at is not null`),
    // Retention: texts.
    index('messages_erasable')
      .on(t.accountId, t.createdAt)
      .where(sql`content is not null or request_hash is not null`),
    // Retention: the hashes that recognize repeats, which a message has for a day.
    index('messages_hashes').on(t.createdAt).where(sql`request_hash is not null`),
    // Retention: files of settled messages.
    index('messages_files').on(t.settledAt).where(sql`media_status in ('pending', 'ready')`),
    // Keys whose callers hang up before the answer.
    index('messages_hung_up').on(t.accountId, t.createdAt).where(sql`hung_up_after_ms is not null`),
    // The alert about messages that an ended or smaller plan cancelled.
    index('messages_plan_ended')
      .on(t.settledAt)
      .where(sql`status = 'cancelled' and error_code = 'plan_ended'`),
    // The alert about messages that a restore or a move expired.
    index('messages_expired')
      .on(t.settledAt)
      .where(sql`status = 'expired' and error_code = 'deadline_passed'`),
    // The removal of an account: without it, each of its keys would be looked for in all messages.
    index('messages_of_key').on(t.apiKeyId).where(sql`api_key_id is not null`),
    // Admission: a repeat of a request whose caller hung up.
    index('messages_repeat').on(t.numberId, t.requestHash).where(sql`answered = false`),
  ],
);
