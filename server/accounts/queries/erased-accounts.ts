import type { Database } from '#server/platform/db/client.ts';

/**
 * Deleted accounts whose sessions have ended, so that their rows can go: those are what a worker goes by to
 * unlink a phone at WhatsApp. After a day without a worker that could, they go nevertheless.
 */
export async function listRemovable(database: Database): Promise<string[]> {
  const rows = await database.sql<{ id: string }[]>`
    select a.id from accounts a where a.deleted_at is not null and (
      a.deleted_at <= now() - interval '1 day' or not exists (
        select from numbers n left join leases l on l.number_id = n.id
        where n.account_id = a.id and (n.intent <> 'idle' or l.expires_at > now())))`;
  return rows.map(({ id }) => id);
}

const BATCH = 1000;

/** Notes the numbers of a deleted account: workers remove their profiles. */
export async function nameErased(database: Database, params: { accountId: string }): Promise<void> {
  const { accountId } = params;
  await database.sql`
    insert into erased_numbers (number_id) select id from numbers where account_id = ${accountId}
    on conflict do nothing`;
}

/** Deletes all that is left of a deleted account. */
export async function removeRows(database: Database, params: { accountId: string }): Promise<void> {
  const { accountId } = params;
  const { sql: query } = database;
  for (;;) {
    const gone = await query`
      delete from messages where id in (select id from messages where account_id = ${accountId} limit ${BATCH}) returning 1`;
    if (gone.length < BATCH) break;
  }
  await query`delete from rate_buckets where key in (${`sends:${accountId}`}, ${`reads:${accountId}`})`;
  await query`delete from accounts where id = ${accountId} and deleted_at is not null`;
}

/** Which of these numbers were erased with their account. */
export async function erasedAmong(database: Database, params: { numberIds: string[] }): Promise<string[]> {
  const rows = await database.sql<{ id: string }[]>`
    select number_id as id from erased_numbers where number_id = any(${params.numberIds})`;
  return rows.map(({ id }) => id);
}
