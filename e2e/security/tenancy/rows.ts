import { reserve, type Sql, type WithSql } from '#server/testing/sql.ts';
import type { Things } from './missing.ts';

/** A table's rows belong to an account by the first of these columns that the table has. */
const OWNED: readonly (readonly [string, string])[] = [
  ['account_id', '= $1'],
  ['number_id', 'in (select id from numbers where account_id = $1)'],
  ['endpoint_id', 'in (select id from webhook_endpoints where account_id = $1)'],
  ['message_id', 'in (select id from messages where account_id = $1)'],
  ['audit_id', 'in (select id from audit_log where account_id = $1)'],
  ['user_id', 'in (select user_id from memberships where account_id = $1)'],
];
/** Columns that change shortly after one of our requests was answered, for any actor. */
const LATE = "'{last_used_at,answered}'::text[]";

let query: string | null = null;

/** A fingerprint of every row of an account, in every table. */
export async function fingerprint(sql: Sql, { accountId }: Things): Promise<string> {
  query ??= await queryFor(sql);
  const rows = await sql.unsafe<{ table: string; hash: string }[]>(query, [accountId]);
  return rows.map(({ table, hash }) => `${table} ${hash}`).join('\n');
}

/** Accounts whose rows nobody may change, compared after each cell. */
export class Unchanged {
  #look: (() => Promise<string[]>) | undefined;
  #last: string[] = [];

  async begin(database: WithSql, whose: readonly Things[]): Promise<void> {
    this.#look = () => Promise.all(whose.map((things) => fingerprint(database.sql, things)));
    this.#last = await this.#look();
  }

  /** The fingerprints that changed since the last call. The next call compares with the current ones. */
  async changed(): Promise<string[]> {
    if (!this.#look) throw new Error('nothing was looked at before');
    const before = this.#last;
    this.#last = await this.#look();
    return this.#last.filter((rows, at) => rows !== before[at]);
  }
}

/** Locks all of an account's rows that can be locked. Returns the function that unlocks them. */
export async function lockAll(database: WithSql, { accountId }: Things): Promise<() => Promise<void>> {
  const held = await reserve(database.pool);
  await held.unsafe('begin');
  // The lock lasts as long as the tests, however busy the machine is.
  await held.unsafe('set local idle_in_transaction_session_timeout = 0');
  for (const table of ['numbers', 'messages', 'api_keys', 'subscriptions', 'memberships'])
    await held.unsafe(`select 1 from ${table} where account_id = $1 for no key update`, [accountId]);
  await held.unsafe('select 1 from accounts where id = $1 for no key update', [accountId]);
  return async () => {
    await held.unsafe('rollback');
    held.release();
  };
}

async function queryFor(sql: Sql): Promise<string> {
  const columns = await sql<{ table: string; columns: string[] }[]>`
    select c.table_name as "table", array_agg(c.column_name::text) as columns
    from information_schema.columns c join information_schema.tables t using (table_schema, table_name)
    where c.table_schema = 'public' and t.table_type = 'BASE TABLE' group by 1 order by 1`;
  const parts = columns.flatMap(({ table, columns: has }) => {
    const owned = OWNED.find(([column]) => has.includes(column));
    if (owned) return [part(table, `${owned[0]} ${owned[1]}`)];
    if (table === 'accounts') return [part(table, 'id = $1')];
    if (table === 'users') return [part(table, `id ${OWNED.find(([column]) => column === 'user_id')?.[1]}`)];
    return [];
  });
  return parts.join(' union all ');
}

function part(table: string, where: string): string {
  return `select '${table}' as "table", md5(coalesce(string_agg((to_jsonb(t) - ${LATE})::text, '' order by to_jsonb(t)::text), '')) as hash
    from ${table} t where ${where}`;
}
