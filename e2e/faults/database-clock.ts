import postgres from 'postgres';
import { MOVABLE_CLOCK } from '#server/testing/movable-clock.ts';

/** Creates a database with a movable clock on a server and returns its address. */
export async function createDatabase(serverUrl: string, name: string): Promise<string> {
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  await run(serverUrl, `create database ${name}`);
  await run(url.href, MOVABLE_CLOCK);
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
