import { stat } from 'node:fs/promises';
import { sql } from 'drizzle-orm';
import { noRoomOf } from '#server/core/sqlstate.ts';
import type { Database } from '#server/platform/db/client.ts';
import { readVolumes, type Volume } from '#server/platform/disk/volumes.ts';

// The statements of this file are SQL: they ask the server about itself and create a trial table.

const CONNECTIONS_SHARE_MAX = 0.9;
/** More than a table's file may have free in its last pages. */
const TRIAL_KIBIBYTES = 256;

/** The server's error if it has no room for a table of 256 KiB; null if it has. The trial is rolled back. */
export async function whyNoRoom({ db }: Database): Promise<string | null> {
  const done = new Error('rolled back');
  try {
    await db.transaction(async (tx) => {
      await tx.run(sql`create table wirebird_room_trial (filler text)`);
      await tx.run(sql`insert into wirebird_room_trial
        select string_agg(md5(random()::text), '') from generate_series(1, ${TRIAL_KIBIBYTES * 32}::int)`);
      throw done;
    });
  } catch (error) {
    if (error === done) return null;
    const code = error instanceof Error && 'code' in error ? String(error.code) : '';
    if (noRoomOf(code) === null) throw error;
    return (error as Error).message;
  }
  return null;
}

/**
 * The volume of a database on this machine. Null for another machine or container, or if its role or our user
 * has no permission.
 */
export async function volumeOf({ db }: Database, url: string): Promise<Volume | null> {
  const { hostname } = new URL(url);
  if (!['', 'localhost', '127.0.0.1', '[::1]'].includes(hostname)) return null;
  const [row] = await db.run<{ place: string }>(sql`
    select setting as place from pg_settings where name = 'data_directory'`);
  if (!row?.place) return null;
  try {
    await stat(row.place);
    const [volume] = await readVolumes({ database: row.place });
    return volume ?? null;
  } catch {
    return null;
  }
}

/** How many connections the server uses and allows, in words, and whether some are left. */
export async function connectionsOf({ db }: Database): Promise<{ found: string; left: boolean }> {
  const [row] = await db.run<{ used: number; most: number }>(sql`
    select count(*)::int as used, current_setting('max_connections')::int as most
    from pg_stat_activity where backend_type = 'client backend'`);
  const { used, most } = row ?? { used: 0, most: 0 };
  return { found: `${used} of ${most} in use`, left: used <= most * CONNECTIONS_SHARE_MAX };
}
