import type { Database } from '#server/db/client.ts';

/** Was this recipient looked up and not found within the last 10 minutes, or on a protected number 3 days? */
export async function isKnownAbsent(
  database: Database,
  params: { numberId: string; digits: string },
): Promise<boolean> {
  const rows = await database.sql`
    select 1 from look_ups l join numbers n on n.id = l.number_id
    where l.number_id = ${params.numberId} and l.digits = ${params.digits} and not l.found
      and l.at > clock_timestamp() - case when n.protected then interval '3 days' else interval '10 minutes' end`;
  return rows.length > 0;
}

export async function writeLookUp(
  database: Database,
  params: { numberId: string; digits: string; found: boolean },
): Promise<void> {
  await database.sql`
    insert into look_ups (number_id, digits, found) values (${params.numberId}, ${params.digits}, ${params.found})
    on conflict (number_id, digits) do update set found = excluded.found, at = clock_timestamp()`;
}
