import { sql } from 'drizzle-orm';
import type { Database } from '#server/platform/db/client.ts';
import { deleteFact, putFactOnce } from '#server/platform/db/facts.ts';
import type { DatabaseSession } from './database-waits.ts';

/** The fact that messages wait to come into the index of the search, and since when. */
const SEARCH_WAITS = 'search index waits';

/** Stored by the job that makes the index; an earlier time stays. */
export const noteSearchWait = (database: Database): Promise<void> =>
  putFactOnce(database.db, { key: SEARCH_WAITS, value: new Date().toISOString() });

export const endSearchWait = (database: Database): Promise<void> =>
  deleteFact(database.db, { key: SEARCH_WAITS });

export interface SearchWait {
  /** How long no message has come into the index. */
  seconds: number;
  /** What it waits for: the oldest first. */
  writers: DatabaseSession[];
}

/** A transaction of the product itself ends within seconds. */
const SECONDS_MAX = 600;
export const waitsTooLong = (wait: SearchWait | null): wait is SearchWait =>
  wait !== null && wait.seconds > SECONDS_MAX;

/** Null if the index does not wait. SQL: what sessions do is in PostgreSQL's own tables. */
export async function findSearchWait({ db }: Database): Promise<SearchWait | null> {
  const [wait] = await db.run<{ seconds: number }>(sql`
    select extract(epoch from clock_timestamp() - value::timestamptz)::float8 as seconds from installation where key = ${SEARCH_WAITS}`);
  if (!wait) return null;
  const writers = await db.run<DatabaseSession>(sql`
    select a.pid, coalesce(a.usename, '') as "user", coalesce(a.application_name, '') as application,
      extract(epoch from clock_timestamp() - a.xact_start)::float8 as "openSeconds"
    from pg_stat_activity a
    where a.pid in (select pid from pg_locks where locktype = 'relation' and relation = 'messages'::regclass
        and mode = 'RowExclusiveLock' and granted and database = (select oid from pg_database where datname = current_database()))
      and coalesce(a.xact_start < clock_timestamp() - interval '2 seconds', true)
    order by a.xact_start nulls first, a.pid limit 5`);
  return { seconds: Math.max(0, wait.seconds), writers };
}
