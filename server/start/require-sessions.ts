import { sql } from 'drizzle-orm';
import type { Db } from '#server/platform/db/client.ts';
import type { Pool } from '#server/platform/db/pool.ts';
import { StartError } from './start-error.ts';

interface Pools {
  pool: { reserve(): Promise<{ db: Db; release(how: { reusable: boolean }): void }> };
  bossPool: Pick<Pool, 'db'>;
}

/**
 * Requires that a connection keeps its session. A pooler in transaction mode gives its statements to different connections
 * of the server, so settings, prepared statements and notifications would be lost.
 *
 * @throws StartError for such a pooler. `subject` names the database in its sentence.
 */
export async function requireSessions({ pool, bossPool }: Pools, subject: string): Promise<void> {
  const own = await pool.reserve();
  try {
    await own.db.run(sql`select set_config('wirebird.session', 'kept', false)`);
    // The other transaction occupies the connection of the server that `own` would otherwise get again.
    const kept = await bossPool.db.transaction(async (other) => {
      await other.run(sql`select 1`);
      const [row] = await own.db.run<{ session: string | null }>(sql`
        select current_setting('wirebird.session', true) as session`);
      return row?.session === 'kept';
    });
    if (!kept)
      throw new StartError(
        `${subject} is a pooler that does not keep sessions. Set its pool mode to "session" (PgBouncer: pool_mode = session), or connect to PostgreSQL directly.`,
      );
  } finally {
    own.release({ reusable: true });
  }
}
