import { sql } from 'drizzle-orm';
import type { RestoreFacts } from '#server/core/restore-alert.ts';
import type { Database } from '#server/platform/db/client.ts';

/** For so long after a restore its steps are shown. */
const SHOWN_HOURS = 24;
const SHOWN_MAX = 3;

/** The restores and moves of the last day in the audit log, the newest first. */
export async function restoresOfLastDay({ db }: Database): Promise<RestoreFacts[]> {
  // SQL: the age is judged after the newest were found by their index.
  const rows = await db.run<{ facts: RestoreFacts }>(sql`
    select detail as facts from (
      select l.detail, l.created_at as at from audit_log l
      where l.action = 'installation.restore' and l.account_id is null order by l.id desc limit ${SHOWN_MAX}) last
    where at > clock_timestamp() - ${SHOWN_HOURS} * interval '1 hour' and detail ? 'lost'`);
  return rows.map(({ facts }) => facts);
}
