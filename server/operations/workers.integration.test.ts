import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createTestDatabase } from '#server/testing/database.ts';
import { CLI, linkAsWorker, makeAccount, makeNumber } from '#server/testing/domain.ts';
import { drainWorker, listWorkers } from './drain-worker.ts';
import { readFleet, writeWorker } from './queries/workers.ts';

let database: Awaited<ReturnType<typeof createTestDatabase>>;
beforeAll(async () => {
  database = await createTestDatabase();
});
beforeEach(async () => {
  await database.sql`delete from processes`;
});
afterAll(() => database.drop());

const live = (id: string, draining = false) =>
  writeWorker(database, {
    id,
    host: `host-of-${id}`,
    pid: 7,
    pidSpace: `space-of-${id}`,
    version: '1.2.3',
    volumeId: `vol_${id}`,
    memoryBytes: 5_000_000_000,
    draining,
    disk: { mediaRefused: false, sessionsStopped: false, note: null },
  });

test('a worker is listed with its host, version, memory and numbers', async () => {
  const { accountId } = await makeAccount(database);
  const { workerId } = await linkAsWorker(database, { numberId: await makeNumber(database, { accountId }) });
  await live(workerId);
  await live('wrk_other', true);
  await database.sql`update processes set seen_at = seen_at - interval '1 minute' where id = 'wrk_other'`;
  expect(await listWorkers({ database })).toEqual([
    {
      id: workerId,
      host: `host-of-${workerId}`,
      version: '1.2.3',
      numbers: 1,
      memoryBytes: 5_000_000_000,
      since: expect.any(Date),
      seenAt: expect.any(Date),
      alive: true,
      draining: false,
      drainRequested: false,
      mediaRefused: false,
      sessionsStopped: false,
      diskNote: null,
    },
    expect.objectContaining({ id: 'wrk_other', numbers: 0, alive: false, draining: true }),
  ]);
});

test('a worker is drained only if another can take its numbers, sees it with its next sign of life, and can be resumed', async () => {
  await live('wrk_a');
  const drain = (drain: boolean) => drainWorker({ database, actor: CLI }, { workerId: 'wrk_a', drain });
  await expect(drain(true)).rejects.toMatchObject({ code: 'invalid_parameters' });
  await live('wrk_b');
  await drain(true);
  expect(await live('wrk_a')).toEqual({ drain: true });
  expect(await readFleet(database, { workerId: 'wrk_b' })).toMatchObject({
    workers: 1,
    fewestElsewhere: null,
  });
  await drain(false);
  expect(await live('wrk_a')).toEqual({ drain: false });
  await expect(
    drainWorker({ database, actor: CLI }, { workerId: 'wrk_none', drain: true }),
  ).rejects.toMatchObject({ code: 'not_found' });
  const noted = await database.sql<
    { action: string }[]
  >`select action from audit_log where target = 'wrk_a' order by id`;
  expect(noted.map(({ action }) => action)).toEqual(['worker.drain', 'worker.resume']);
});
