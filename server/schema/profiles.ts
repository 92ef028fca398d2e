import { bigint, integer, pgTable, text } from 'drizzle-orm/pg-core';
import { bytes, instant } from './columns.ts';
import { numbers } from './numbers.ts';

/**
 * Where a number's stored session is. A session that goes back in time can use message keys twice, and then
 * its recipients cannot read what the server has accepted: so one place alone holds the session as it is now.
 */
export const profiles = pgTable('profiles', {
  numberId: text('number_id')
    .primaryKey()
    .references(() => numbers.id, { onDelete: 'cascade' }),
  /** The volume with the profile that was started last; null when there is none to go on with. */
  volumeId: text('volume_id'),
  /** For people: the machine that the volume was last seen on. */
  host: text('host'),
  /** Raised with each taking up, here and in the profile: the two show if either went back in time. */
  generation: bigint('generation', { mode: 'number' }).notNull().default(0),
  /**
   * What the session needs, sealed, as a clean stop has left it. Out of date as soon as a browser starts from it; kept
   * until that has connected, for the case that what it started from was damaged.
   */
  snapshot: bytes('snapshot'),
  snapshotVersion: integer('snapshot_version'),
  /** The generation that it continues: a snapshot of any other is out of date. */
  snapshotGeneration: bigint('snapshot_generation', { mode: 'number' }),
  snapshotAt: instant('snapshot_at'),
});
