import postgres from 'postgres';

/**
 * A database whose clock can be moved: `clock_timestamp()` and `now()` in its schema `public` replace the
 * system's, so every statement of the product, its defaults and pg-boss see the moved clock. The server's own
 * time-outs do not, as with a real jump: they are monotonic.
 */
const CLOCK = `
  create table clock_offset (by interval not null);
  insert into clock_offset values ('0');
  create function public.clock_timestamp() returns timestamptz language sql volatile
    as 'select pg_catalog.clock_timestamp() + (select by from public.clock_offset)';
  create function public.now() returns timestamptz language sql stable
    as 'select pg_catalog.now() + (select by from public.clock_offset)';
`;

/** Creates a database with a movable clock on a server and returns its address. */
export async function createDatabase(serverUrl: string, name: string): Promise<string> {
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  await run(serverUrl, `create database ${name}`);
  await run(serverUrl, `alter database ${name} set search_path = public, pg_catalog`);
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
