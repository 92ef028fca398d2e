import { version } from '#server/platform/version.ts';
import type { WithSql } from '#server/testing/sql.ts';

/** The good build on which some kinds of messages fail. */
export const SOME_KINDS_FAIL = '2.3000.1043220887';

/** WhatsApp Web builds in each state: one number tries the newest, another sent through the good one. */
export async function fillBuilds(
  database: WithSql,
  { trier, sender }: { trier: string; sender: string },
): Promise<void> {
  const { sql } = database;
  await sql`delete from page_builds`;
  const build = (name: string, hours: number) => sql`
    insert into page_builds (network, version, first_seen_at, last_seen_at)
    values ('whatsapp', ${name}, clock_timestamp() - ${hours} * interval '1 hour', clock_timestamp())`;
  await build('2.3000.1043412001', 0.1);
  await build('2.3000.1043398744', 20);
  await build(SOME_KINDS_FAIL, 75);
  await build('2.3000.1043085068', 160);
  await build('2.3000.1042999310', 400);
  await sql`
    update page_builds set trying_number_id = ${trier}, trying_until = clock_timestamp() + interval '1 hour'
    where version = '2.3000.1043412001'`;
  await sql`
    update page_builds set verdict = 'failed', failed_check = 'messages do not pass the gate', tested_at = first_seen_at,
      tested_by = ${version} where version = '2.3000.1043398744'`;
  await sql`
    update page_builds set verdict = 'passed', tested_at = last_seen_at, document = '\\x00' where first_seen_at < clock_timestamp() - interval '48 hours'`;
  await sql`update page_builds set proven_at = tested_at where version in (${SOME_KINDS_FAIL}, '2.3000.1043085068')`;
  await sql`update page_builds set unserved_at = clock_timestamp() where version = '2.3000.1042999310'`;
  await sql`
    insert into page_build_kinds (network, version, kind, tested_at, tested_by, failed_check, proven_at)
    select 'whatsapp', ${SOME_KINDS_FAIL}, kind, clock_timestamp(), ${version}, failed, case when proven then clock_timestamp() end
    from (values ('text', true, null), ('location', false, null), ('contact', true, null),
      ('image', false, 'its draft lacks the field mediaObject'), ('document', false, 'its draft lacks the field mediaObject')
    ) as found (kind, proven, failed)`;
  await sql`
    insert into page_build_kinds (network, version, kind, tested_at, tested_by, proven_at)
    select 'whatsapp', '2.3000.1043085068', kind, clock_timestamp(), ${version}, clock_timestamp()
    from unnest(array['text', 'image', 'document', 'location', 'contact', 'audio']) as kind`;
  await sql`
    insert into number_builds (number_id, version, kept, since) values (${trier}, '2.3000.1043412001', false, clock_timestamp())
    on conflict (number_id) do nothing`;
  await sql`update messages set page_build = ${SOME_KINDS_FAIL} where number_id = ${sender} and dispatched_at is not null`;
}

/** Has a number's session run this build. */
export async function runOn(
  { sql }: WithSql,
  { numberId, version }: { numberId: string; version: string },
): Promise<void> {
  await sql`
    insert into number_builds (number_id, version, kept, since) values (${numberId}, ${version}, false, clock_timestamp())`;
}
