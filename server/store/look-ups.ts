import type { Database } from '#server/db/client.ts';

/** Was this recipient looked up and not found within the last 10 minutes? */
export async function isKnownAbsent(
  database: Database,
  params: { numberId: string; digits: string },
): Promise<boolean> {
  const rows = await database.sql`
    select 1 from look_ups where number_id = ${params.numberId} and digits = ${params.digits} and not found
      and at > clock_timestamp() - interval '10 minutes'`;
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
