import type { Database } from '#server/platform/db/client.ts';
import { version } from '#server/platform/version.ts';

/** WhatsApp Web builds in each state: one number tries the newest, another sent through the good one. */
export async function fillBuilds(
  database: Database,
  { trier, sender }: { trier: string; sender: string },
): Promise<void> {
  const { sql } = database;
  await sql`delete from page_builds`;
  const build = (name: string, hours: number) => sql`
    insert into page_builds (network, version, first_seen_at, last_seen_at)
    values ('whatsapp', ${name}, clock_timestamp() - ${hours} * interval '1 hour', clock_timestamp())`;
  await build('2.3000.1043412001', 0.1);
  await build('2.3000.1043398744', 20);
  await build('2.3000.1043220887', 75);
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
  await sql`update page_builds set proven_at = tested_at where version in ('2.3000.1043220887', '2.3000.1043085068')`;
  await sql`update page_builds set unserved_at = clock_timestamp() where version = '2.3000.1042999310'`;
  await sql`
    insert into number_builds (number_id, version, kept, since) values (${trier}, '2.3000.1043412001', false, clock_timestamp())
    on conflict (number_id) do nothing`;
  await sql`update messages set page_build = '2.3000.1043220887' where number_id = ${sender} and dispatched_at is not null`;
}
