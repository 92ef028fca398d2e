import type { Sql } from '#server/platform/db/sql.ts';
import { StartError } from './start-error.ts';

interface Pools {
  sql: { reserve(): Promise<Sql & { release(options: { reusable: boolean }): void }> };
  bossSql: Pick<Sql, 'begin'>;
}

/**
 * Requires that a connection keeps its session. A pooler in transaction mode gives its statements to different connections
 * of the server, so settings, prepared statements and notifications would be lost.
 *
 * @throws StartError for such a pooler. `subject` names the database in its sentence.
 */
export async function requireSessions({ sql, bossSql }: Pools, subject: string): Promise<void> {
  const own = await sql.reserve();
  try {
    await own`select set_config('wirebird.session', 'kept', false)`;
    // The other transaction occupies the connection of the server that `own` would otherwise get again.
    const kept = await bossSql.begin(async (other) => {
      await other`select 1`;
      const [row] = await own<{ session: string | null }[]>`
        select current_setting('wirebird.session', true) as session`;
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
