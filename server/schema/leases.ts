import { sql } from 'drizzle-orm';
import { bigint, index, integer, pgTable, text } from 'drizzle-orm/pg-core';
import { createdAt, instant } from './columns.ts';
import { numbers } from './numbers.ts';

/**
 * Who may run a number's session, and when it may send next. A row of its own, so that renewing never waits
 * for an admission that holds the number's row. All times are the database's.
 */
export const leases = pgTable(
  'leases',
  {
    numberId: text('number_id')
      .primaryKey()
      .references(() => numbers.id, { onDelete: 'cascade' }),
    workerId: text('worker_id'),
    /** Raised with each new holder; every write of a worker carries it. */
    fence: bigint('fence', { mode: 'number' }).notNull().default(0),
    expiresAt: instant('expires_at'),
    renewedAt: instant('renewed_at'),
    nextSendAt: instant('next_send_at').notNull().default(sql`'-infinity'`),
    /** How many slots were claimed; every fourth one is the async lane's. */
    slots: bigint('slots', { mode: 'number' }).notNull().default(0),
  },
  // A worker renews all of its leases in one statement.
  (t) => [index('leases_of_worker').on(t.workerId)],
);

/** Web and worker processes that are alive, by their last sign of life. */
export const processes = pgTable('processes', {
  id: text('id').primaryKey(),
  kind: text('kind', { enum: ['web', 'worker'] }).notNull(),
  host: text('host').notNull(),
  pid: integer('pid').notNull(),
  /** Of the product that it runs. */
  version: text('version'),
  /** A worker's: where the profiles lie that it sees. */
  volumeId: text('volume_id'),
  /** A worker's, with its browsers. */
  memoryBytes: bigint('memory_bytes', { mode: 'number' }),
  /** The administrator wants its numbers to go elsewhere. */
  drainRequestedAt: instant('drain_requested_at'),
  /** It takes up no numbers any more and hands over those that it has. */
  drainingAt: instant('draining_at'),
  /** A worker's: since then there is too little room for files of messages, or for sessions. */
  mediaRefusedAt: instant('media_refused_at'),
  sessionsStoppedAt: instant('sessions_stopped_at'),
  /** How much room there is, and where, for administrators. */
  diskNote: text('disk_note'),
  seenAt: instant('seen_at').notNull().default(sql`clock_timestamp()`),
  startedAt: createdAt(),
});
