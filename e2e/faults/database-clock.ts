import postgres from 'postgres';

/**
 * A database whose clock can be moved: its own `clock_timestamp()` and `now()` replace the system's, so every statement
 * of the product, its defaults and pg-boss see the moved clock, whatever their `search_path`. The server's own time-outs
 * do not, as with a real jump: they are monotonic. Needs a superuser.
 */
const CLOCK = `
  create table clock_offset (by interval not null);
  insert into clock_offset values ('0');
  alter function pg_catalog.clock_timestamp() rename to true_clock_timestamp;
  alter function pg_catalog.now() rename to true_now;
  create function pg_catalog.clock_timestamp() returns timestamptz language sql volatile
    as 'select pg_catalog.true_clock_timestamp() + (select by from public.clock_offset)';
  create function pg_catalog.now() returns timestamptz language sql stable
    as 'select pg_catalog.true_now() + (select by from public.clock_offset)';
`;

/** Creates a database with a movable clock on a server and returns its address. */
export async function createDatabase(serverUrl: string, name: string): Promise<string> {
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  await run(serverUrl, `create database ${name}`);
  await run(url.href, CLOCK);
  return url.href;
}

export async function dropDatabase(serverUrl: string, name: string): Promise<void> {
  await run(serverUrl, `drop database if exists ${name} with (force)`);
}

async function run(url: string, statements: string): Promise<void> {
  const sql = postgres(url, { max: 1, onnotice: () => {} });
  try {
    await sql.unsafe(statements).simple();
  } finally {
    await sql.end();
  }
}
