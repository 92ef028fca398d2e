import { sql } from 'drizzle-orm';
import type { Database } from '#server/platform/db/client.ts';
import type { StartedDatabase } from '#server/start/database.ts';
import { explainDatabase } from '#server/start/explain-database.ts';
import { type Finding, fine, wrong } from './findings.ts';

/** Without these, a crash of the machine can lose or damage what PostgreSQL has confirmed. */
const DURABLE = ['fsync', 'full_page_writes'] as const;

/** Whether PostgreSQL answers, in the right encoding; with a warning if it can lose what it has confirmed. */
export async function checkServer(database: Database, started: StartedDatabase): Promise<Finding> {
  const askedAtMs = performance.now();
  try {
    // SQL: there is no table to select from.
    const [row] = await database.db.run<{ version: string; encoding: string; off: string[] }>(sql`
      select current_setting('server_version') as version, current_setting('server_encoding') as encoding,
        array(select name from unnest(${sql.param(DURABLE)}::text[]) as name where current_setting(name) = 'off') as off`);
    const tookMs = Math.round(performance.now() - askedAtMs);
    const found = `PostgreSQL ${row?.version}, ${started.described}, connected in ${tookMs} ms`;
    if (row?.encoding !== 'UTF8')
      return wrong(
        'database',
        `${found}, encoding ${row?.encoding}`,
        'Create the database with ENCODING UTF8.',
      );
    if (row.off.length === 0) return fine('database', found);
    const off = row.off.map((name) => `${name} = off`).join(', ');
    const warning = `${off}: after a power failure, messages can be lost or sent twice. Switch it on in PostgreSQL.`;
    return { ...fine('database', found), warning };
  } catch (error) {
    const problem = explainDatabase(error, started);
    if (problem === null) throw error;
    return wrong('database', 'cannot be used', problem);
  }
}
