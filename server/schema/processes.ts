import { sql } from 'drizzle-orm';
import { bigint, integer, pgTable, text } from 'drizzle-orm/pg-core';
import { createdAt, instant } from './columns.ts';

/** Web and worker processes, with their last sign of life. */
export const processes = pgTable('processes', {
  id: text('id').primaryKey(),
  kind: text('kind', { enum: ['web', 'worker'] }).notNull(),
  host: text('host').notNull(),
  pid: integer('pid').notNull(),
  /** Where its pid counts: containers may share a host name. Always given. */
  pidSpace: text('pid_space'),
  /** The version of Wirebird that it runs. */
  version: text('version'),
  /** A worker's: the volume with its profiles. */
  volumeId: text('volume_id'),
  /** A worker's, its browsers included. */
  memoryBytes: bigint('memory_bytes', { mode: 'number' }),
  /** When the administrator asked it to hand its numbers over. */
  drainRequestedAt: instant('drain_requested_at'),
  /** Since then it takes no numbers and hands its own over. */
  drainingAt: instant('draining_at'),
  /** A worker's: since then its disk has too little room for files, or for sessions. */
  mediaRefusedAt: instant('media_refused_at'),
  sessionsStoppedAt: instant('sessions_stopped_at'),
  /** How much room is left, and where; for administrators. */
  diskNote: text('disk_note'),
  /** A web process's: up to then it has recorded all hang-ups. */
  seenAt: instant('seen_at').notNull().default(sql`clock_timestamp()`),
  /** A web process's last sign of life, also while it records hang-ups. Null: of an earlier version. */
  aliveAt: instant('alive_at'),
  startedAt: createdAt(),
});
