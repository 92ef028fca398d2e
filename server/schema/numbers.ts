import { sql } from 'drizzle-orm';
import { bigint, boolean, index, integer, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import type { Group } from '#server/core/engine.ts';
import { NETWORKS, NUMBER_INTENTS, NUMBER_STATUSES } from '#server/core/number-state.ts';
import { SEND_INTERVAL_SECONDS } from '#server/core/pacing/interval.ts';
import { accounts } from './accounts.ts';
import { createdAt, instant, publicId } from './columns.ts';

/** A number that an account links and sends from. Its row is locked while a message is admitted. */
export const numbers = pgTable(
  'numbers',
  {
    id: publicId(),
    accountId: text('account_id')
      .notNull()
      .references(() => accounts.id, { onDelete: 'cascade' }),
    network: text('network', { enum: NETWORKS }).notNull(),
    label: text('label').notNull().default(''),
    /** Digits of the linked phone; kept after unlinking. Null when never linked. */
    phoneNumber: text('phone_number'),
    /** The virtual phone of a sandbox number (digits). */
    sandboxPhone: text('sandbox_phone'),
    status: text('status', { enum: NUMBER_STATUSES }).notNull().default('UNLINKED'),
    /** Why it is in this state, in words for its owner. */
    statusReason: text('status_reason'),
    /** While it is BLOCKED: WhatsApp takes it again from then on. Null: a person has to act. */
    blockedUntil: instant('blocked_until'),
    statusSince: instant('status_since').notNull().default(sql`clock_timestamp()`),
    intent: text('intent', { enum: NUMBER_INTENTS }).notNull().default('idle'),
    /** Raised with each change of intent, so that a worker can tell a new wish from one it has carried out. */
    intentRevision: integer('intent_revision').notNull().default(0),
    /** Linking ends then. */
    linkUntil: instant('link_until'),
    /** The owner asked for a pairing code for this phone (digits). */
    pairingPhone: text('pairing_phone'),
    /** A worker is handing this number over on purpose; readers keep the state until then. */
    movingUntil: instant('moving_until'),
    sendIntervalSeconds: integer('send_interval_seconds').notNull().default(SEND_INTERVAL_SECONDS.default),
    heldAt: instant('held_at'),
    /**
     * Messages are set aside since `heldAt`, and nothing else is held. A process of an earlier version reads it as a
     * hold of the whole number, so it sends none of them.
     */
    heldToDecide: boolean('held_to_decide').notNull().default(false),
    /** The phone (digits) that its owner named beforehand to take the place of the linked one. */
    replacementPhone: text('replacement_phone'),
    suspendedAt: instant('suspended_at'),
    /** Why the administrator suspended it, in their words for its owner. */
    suspendedReason: text('suspended_reason'),
    /** From then on it counts against the plan, until removed. */
    firstLinkedAt: instant('first_linked_at'),
    /** Since when this phone is its phone; null when never linked. */
    linkedAt: instant('linked_at'),
    /** New people are written to within a budget, at irregular intervals. */
    protected: boolean('protected').notNull().default(false),
    /** Chosen by the owner to stay when the plan shrinks. */
    kept: boolean('kept').notNull().default(false),
    removedAt: instant('removed_at'),
    createdAt: createdAt(),
  },
  (t) => [
    // The numbers page, and which numbers are within the plan.
    index('numbers_of_account').on(t.accountId).where(sql`removed_at is null`),
    // One phone is live once in an installation.
    uniqueIndex('numbers_live_phone')
      .on(t.network, t.phoneNumber)
      .where(sql`removed_at is null and status in ('CONNECTED', 'RECONNECTING', 'CONFLICT', 'BLOCKED')`),
  ],
);

/** What linking shows right now, QR and pairing code sealed, and there while they are valid. Never logged. */
export const numberLinks = pgTable('number_links', {
  numberId: text('number_id')
    .primaryKey()
    .references(() => numbers.id, { onDelete: 'cascade' }),
  qr: text('qr'),
  qrExpiresAt: instant('qr_expires_at'),
  pairingCode: text('pairing_code'),
  syncPercent: integer('sync_percent'),
  updatedAt: instant('updated_at').notNull(),
  pairingExpiresAt: instant('pairing_expires_at'),
});

/**
 * Numbers whose account was deleted: every worker removes their profiles from its own disk, one that was away
 * when it is back. Ids alone, of rows that are gone.
 */
export const erasedNumbers = pgTable('erased_numbers', {
  numberId: text('number_id').primaryKey(),
  createdAt: createdAt(),
});

/** The groups of a number, as a worker listed them when its owner last asked; a change tells both of them. */
export const numberGroups = pgTable('number_groups', {
  numberId: text('number_id')
    .primaryKey()
    .references(() => numbers.id, { onDelete: 'cascade' }),
  askedAt: instant('asked_at').notNull(),
  /** Later than `askedAt` when the answer is there. */
  answeredAt: instant('answered_at'),
  /** Null before the first answer. */
  groups: jsonb('groups').$type<Group[]>(),
  /** Why the last question has no answer, in words for its owner. */
  error: text('error'),
});

/** The history of a number's states. */
export const numberEvents = pgTable(
  'number_events',
  {
    id: bigint('id', { mode: 'number' }).primaryKey().generatedAlwaysAsIdentity(),
    numberId: text('number_id')
      .notNull()
      .references(() => numbers.id, { onDelete: 'cascade' }),
    status: text('status', { enum: NUMBER_STATUSES }).notNull(),
    reason: text('reason'),
    at: instant('at').notNull().default(sql`clock_timestamp()`),
  },
  // A number's timeline, newest first.
  (t) => [index('number_events_of_number').on(t.numberId, t.id)],
);
