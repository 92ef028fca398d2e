import os from 'node:os';
import { setImmediate } from 'node:timers/promises';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { trackHangUp } from '#server/messages/hang-ups.ts';
import { openDatabase } from '#server/platform/db/client.ts';
import { pidSpace } from '#server/platform/process/identity.ts';
import { createTestDatabase } from '#server/testing/database.ts';
import { type WithSql, withSql } from '#server/testing/sql.ts';
import { databaseTime, writeProcess } from './queries/processes.ts';
import { beat, beatAsWeb, forgetDeadProcesses } from './web-process.ts';

let whole: Awaited<ReturnType<typeof createTestDatabase>>;
/** With one connection, so that statements run in the order of their calls. */
let database: WithSql;
beforeAll(async () => {
  whole = await createTestDatabase();
  database = withSql(openDatabase(whole.url, 1));
});
beforeEach(async () => {
  await database.sql`delete from processes`;
});
afterAll(async () => {
  await database.close();
  await whole.drop();
});

const SIGN = { id: 'web_1', kind: 'web', host: 'here', pid: 1, pidSpace: 'here' } as const;

async function seenAt(): Promise<string | undefined> {
  const [row] = await database.sql<
    { at: string }[]
  >`select seen_at::text as at from processes where id = ${SIGN.id}`;
  return row?.at;
}

test('a process reports itself alive only after it recorded which clients left before that time', async () => {
  const noted = Promise.withResolvers<void>();
  trackHangUp('num_1', noted.promise);
  const beating = beat({ database }, SIGN);
  // A caller that hangs up while the sign is being prepared is also recorded before it.
  const late = Promise.withResolvers<void>();
  void setImmediate().then(() => trackHangUp('num_2', late.promise));
  const seen: (string | undefined)[] = [];
  for (let n = 0; n < 20; n++) seen.push(await seenAt());
  const before = await databaseTime(database);
  noted.resolve();
  late.resolve();
  await beating;
  expect(new Set(seen)).toEqual(new Set([undefined]));
  const sign = await seenAt();
  if (sign === undefined) throw new Error('there is no sign of life');
  expect(Date.parse(sign)).toBeLessThan(Date.parse(before));
});

test('a process whose hang-ups take long to record says meanwhile that it lives, and nothing more', async () => {
  await beat({ database }, SIGN);
  const recorded = Promise.withResolvers<void>();
  await database.sql`update processes set seen_at = seen_at - interval '20 seconds', alive_at = alive_at - interval '20 seconds'`;
  const before = await seenAt();
  trackHangUp('num_3', recorded.promise);
  const beating = beat({ database }, SIGN);
  const alive = () =>
    database.sql`select 1 from processes where alive_at > clock_timestamp() - interval '10 seconds'`;
  await expect.poll(alive, { timeout: 30_000 }).toHaveLength(1);
  expect(await seenAt()).toBe(before);
  recorded.resolve();
  await beating;
  expect(await seenAt()).not.toBe(before);
});

test('a clock that is set back moves the sign of life back with it', async () => {
  await beat({ database }, SIGN);
  await database.sql`update processes set seen_at = clock_timestamp() + interval '1 hour' where id = ${SIGN.id}`;
  await beat({ database }, SIGN);
  expect(Date.parse((await seenAt()) ?? '')).toBeLessThanOrEqual(Date.parse(await databaseTime(database)));
});

test('a process whose first statements fail starts as soon as the database answers', async () => {
  await database.sql`alter table processes rename to processes_away`;
  const starting = beatAsWeb({ database });
  // On the one connection, its first statement has failed before the table is back.
  await setImmediate();
  await database.sql`alter table processes_away rename to processes`;
  const stop = await starting;
  expect(await database.sql`select kind, pid from processes`).toEqual([{ kind: 'web', pid: process.pid }]);
  await stop();
  expect(await database.sql`select 1 from processes`).toEqual([]);
});

test('the start of a process deletes ended processes here, and none of another container with the same host name', async () => {
  // Above the highest pid that Linux allows.
  const ended = { kind: 'web', host: os.hostname(), pid: 2 ** 22 + 1 } as const;
  await writeProcess(database, { ...ended, id: 'web_here', pidSpace: pidSpace() });
  await writeProcess(database, {
    ...ended,
    id: 'web_container',
    pidSpace: `${pidSpace()} of another container`,
  });
  await forgetDeadProcesses({ database }, 'web');
  expect(await database.sql`select id from processes`).toEqual([{ id: 'web_container' }]);
});
