import { sql } from 'drizzle-orm';
import { boolean, index, integer, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import { NETWORKS, NUMBER_INTENTS, NUMBER_STATUSES } from '#server/core/number-state.ts';
import { SEND_INTERVAL_SECONDS } from '#server/core/pacing/interval.ts';
import { ofAccount } from './accounts.ts';
import { cause, createdAt, instant, publicId } from './columns.ts';

/** A number that an account links and sends from. Its row is locked while a message is admitted. */
export const numbers = pgTable(
  'numbers',
  {
    id: publicId(),
    accountId: ofAccount(),
    network: text('network', { enum: NETWORKS }).notNull(),
    label: text('label').notNull().default(''),
    /** Digits of the linked phone; kept after unlinking. Null when never linked. */
    phoneNumber: text('phone_number'),
    /** The virtual phone of a sandbox number (digits). */
    sandboxPhone: text('sandbox_phone'),
    status: text('status', { enum: NUMBER_STATUSES }).notNull().default('UNLINKED'),
    /** Why it is in this state. */
    cause: cause('cause'),
    /** While it is BLOCKED: WhatsApp accepts it again from then on. Null: a person has to act. */
    blockedUntil: instant('blocked_until'),
    statusSince: instant('status_since').notNull().default(sql`clock_timestamp()`),
    intent: text('intent', { enum: NUMBER_INTENTS }).notNull().default('idle'),
    /** Incremented with each new intent, so that a worker distinguishes it from one that it has carried out. */
    intentRevision: integer('intent_revision').notNull().default(0),
    /** When linking ends. */
    linkUntil: instant('link_until'),
    /** When a screen last showed its codes, which end soon after nobody looks. Null: opened by an earlier version. */
    linkSeenAt: instant('link_seen_at'),
    /** The phone (digits) that its owner asked a pairing code for. */
    pairingPhone: text('pairing_phone'),
    /** A worker hands this number to another one; it is shown in its present state until then. */
    movingUntil: instant('moving_until'),
    sendIntervalSeconds: integer('send_interval_seconds').notNull().default(SEND_INTERVAL_SECONDS.default),
    heldAt: instant('held_at'),
    /**
     * Since `heldAt` only the messages that are set aside are held. A process of an earlier version holds the
     * whole number, so it sends none of them.
     */
    heldToDecide: boolean('held_to_decide').notNull().default(false),
    /** The phone (digits) that its owner named as the replacement of the linked one. */
    replacementPhone: text('replacement_phone'),
    suspendedAt: instant('suspended_at'),
    /** The administrator's reason, as a sentence for its owner. */
    suspendedReason: text('suspended_reason'),
    /** It counts against the plan from then on, until removed. */
    firstLinkedAt: instant('first_linked_at'),
    /** When this phone was first linked to it; null if never linked. */
    linkedAt: instant('linked_at'),
    /** New contacts are limited by a budget, and intervals are irregular. */
    protected: boolean('protected').notNull().default(false),
    /** When an account without a plan last used it; null unless it was linked without one. */
    trialActiveAt: instant('trial_active_at'),
    /** The owner chose to keep it when the plan shrinks. */
    kept: boolean('kept').notNull().default(false),
    removedAt: instant('removed_at'),
    /** How many events it has had: the `sequence` of the last one. */
    eventSequence: integer('event_sequence').notNull().default(0),
    createdAt: createdAt(),
  },
  (t) => [
    // The numbers page, and which numbers the plan includes.
    index('numbers_of_account').on(t.accountId).where(sql`removed_at is null`),
    // A phone is live on at most one number of the installation.
    uniqueIndex('numbers_live_phone')
      .on(t.network, t.phoneNumber)
      .where(sql`removed_at is null and status in ('CONNECTED', 'RECONNECTING', 'CONFLICT', 'BLOCKED')`),
  ],
);

/** The number that a row belongs to. The row is deleted with it. */
export const ofNumber = () =>
  text('number_id')
    .notNull()
    .references(() => numbers.id, { onDelete: 'cascade' });
