import { afterAll, beforeAll, expect, test } from 'vitest';
import { openDatabase } from '#server/db/client.ts';
import { createTestDatabase } from '#server/db/testing.ts';
import { stopClientBoss } from '#server/queue/boss.ts';
import { readiness } from './readiness.ts';

let database: Awaited<ReturnType<typeof createTestDatabase>>;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(async () => {
  await stopClientBoss();
  await database.drop();
});

const worker = (seenAgo: string) => database.sql`
  insert into processes (id, kind, host, pid, seen_at)
  values ('wrk_test', 'worker', 'here', 1, clock_timestamp() - ${seenAgo}::interval)
  on conflict (id) do update set seen_at = excluded.seen_at`;

test('a worker counts as there while it was seen within 15 s', async () => {
  expect((await readiness(database)).parts).toMatchObject({ database: true, queue: true, worker: false });
  await worker('10 seconds');
  expect((await readiness(database)).parts.worker).toBe(true);
  await worker('16 seconds');
  const state = await readiness(database);
  expect(state.parts.worker).toBe(false);
  expect(state.missing).toContain('worker');
  expect(state.ready).toBe(false);
});

test('a database that is not there is named within seconds', async () => {
  const away = openDatabase('postgres://nobody@127.0.0.1:1/none', 1);
  const state = await readiness(away);
  expect(state.ready).toBe(false);
  expect(state.missing).toContain('database');
  await away.close();
});
