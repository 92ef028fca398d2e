import { bigint, integer, pgTable, text } from 'drizzle-orm/pg-core';
import { bytes, instant } from './columns.ts';
import { ofNumber } from './numbers.ts';

/**
 * Where a number's stored session is. An older copy of a session would use message keys twice, and recipients
 * could not read its messages. So exactly one place holds the current session.
 */
export const profiles = pgTable('profiles', {
  numberId: ofNumber().primaryKey(),
  /** The volume with the profile that was started last; null if no session can be resumed. */
  volumeId: text('volume_id'),
  /** The machine that the volume was last seen on, shown to people. */
  host: text('host'),
  /** Incremented with each start, here and in the profile. If the two differ, one is an older copy. */
  generation: bigint('generation', { mode: 'number' }).notNull().default(0),
  /**
   * The session's files, sealed, as a clean stop left them. Out of date as soon as a browser starts from it; kept
   * until that browser has connected, in case the profile is damaged.
   */
  snapshot: bytes('snapshot'),
  snapshotVersion: integer('snapshot_version'),
  /** The generation that it continues; a snapshot of another one is out of date. */
  snapshotGeneration: bigint('snapshot_generation', { mode: 'number' }),
  snapshotAt: instant('snapshot_at'),
});
