import { afterAll, beforeAll, expect, test } from 'vitest';
import { audit } from '#server/accounts/audit.ts';
import { msAgo } from '#server/platform/db/expressions.ts';
import { clientBoss, stopClientBoss } from '#server/platform/queue/boss.ts';
import { insertRequests } from '#server/requests/queries/requests.ts';
import { storedLane } from '#server/schema/lane.ts';
import { createTestDatabase } from '#server/testing/database.ts';
import { linkAsWorker, makeAccount, makeNumber, queueMessage } from '#server/testing/domain.ts';
import { reserve } from '#server/testing/sql.ts';
import { indexMessages } from './index-messages.ts';
import { writeProcess } from './queries/processes.ts';
import { findSearchWait } from './queries/search-wait.ts';
import { queueHealth } from './queue-health.ts';

let database: Awaited<ReturnType<typeof createTestDatabase>>;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(async () => {
  await stopClientBoss();
  await database.drop();
});

const troubles = async () => (await queueHealth({ database })).troubles;

test('queue health lists each problem, and reports healthy when there is none', async () => {
  expect(await troubles()).toEqual([{ kind: 'no_worker', count: 1 }]);
  await writeProcess(database, { id: 'wrk_1', kind: 'worker', host: 'here', pid: 1, pidSpace: 'here' });
  // A process that has just started still connects.
  expect(await troubles()).toEqual([]);
  await database.sql`update processes set created_at = clock_timestamp() - interval '61 seconds'`;
  expect(await troubles()).toEqual([{ kind: 'not_listening', count: 1 }]);
  const heard = await database.pool.listen('of_a_test', () => {});
  expect(await queueHealth({ database })).toMatchObject({ troubles: [], workers: 1, web: 0, listening: 1 });

  const { accountId, email } = await makeAccount(database);
  const numberId = await makeNumber(database, { accountId, label: 'Orders' });
  await linkAsWorker(database, { numberId });
  const ids = [];
  for (let n = 0; n < 3; n++) ids.push(await queueMessage(database, { accountId, numberId }));
  expect(await queueHealth({ database })).toMatchObject({
    troubles: [],
    open: [{ status: 'queued', count: 3 }],
    lanes: [
      { lane: 'sync', waiting: 0 },
      { lane: 'async', waiting: 3 },
    ],
    deepest: [{ numberId, name: 'Orders', accountName: email, status: 'CONNECTED', waiting: 3, held: false }],
  });

  await database.sql`
    update messages set lane = ${storedLane('sync')}, created_at = clock_timestamp() - interval '5 minutes' where id = ${ids[0] ?? ''}`;
  await database.sql`
    update messages set deadline_at = clock_timestamp() - interval '5 minutes' where id = ${ids[1] ?? ''}`;
  const boss = await clientBoss(database);
  await boss.createQueue('of_a_test');
  const job = await boss.send('of_a_test', {});
  await database.sql`update pgboss.job set state = 'failed' where id = ${job ?? ''}`;
  const sick = await queueHealth({ database });
  expect(sick.troubles).toEqual([
    { kind: 'sync_late', count: 1 },
    { kind: 'overdue', count: 1 },
    { kind: 'jobs_failed', count: 1 },
  ]);
  expect(sick.jobs).toEqual([{ queue: 'other', state: 'failed', count: 1 }]);
  await heard.unlisten();
});

test('scheduled messages do not wait, and one whose time has come waits since then', async () => {
  const { accountId } = await makeAccount(database);
  const numberId = await makeNumber(database, { accountId });
  await linkAsWorker(database, { numberId });
  const figures = async () => {
    const { lanes, open, deepest } = await queueHealth({ database });
    const lane = lanes.find((one) => one.lane === 'async');
    return {
      ...{ waiting: lane?.waiting ?? 0, queued: open.find(({ status }) => status === 'queued')?.count ?? 0 },
      own: deepest.find((row) => row.numberId === numberId),
    };
  };
  const before = await figures();
  const id = await queueMessage(database, { accountId, numberId });
  const schedule = (inMinutes: number) => database.sql`
    update messages set created_at = clock_timestamp() - interval '1 day', deadline_at = clock_timestamp() + interval '1 day',
      send_at = clock_timestamp() + ${inMinutes} * interval '1 minute' where id = ${id}`;
  await schedule(60);
  expect(await figures()).toEqual(before);
  await schedule(-1);
  const { waiting, queued, own } = await figures();
  expect([waiting, queued, own?.waiting]).toEqual([before.waiting + 1, before.queued + 1, 1]);
  expect(own?.oldestSeconds).toBeLessThan(120);
});

test('messages that expired or were cancelled in the last hour are counted beside those given to WhatsApp Web', async () => {
  const { accountId } = await makeAccount(database);
  const numberId = await makeNumber(database, { accountId });
  const end = async (status: string, hoursAgo: number, dispatched: boolean) => {
    const id = await queueMessage(database, { accountId, numberId });
    const at = msAgo(hoursAgo * 3_600_000);
    if (dispatched)
      await database.sql`update messages set status = 'sending', dispatched_at = ${at} where id = ${id}`;
    await database.sql`
      update messages set status = ${status}, created_at = ${at} - interval '1 hour', settled_at = ${at} where id = ${id}`;
  };
  await end('sent', 0.5, true);
  await end('sent', 1.5, true);
  for (const status of ['expired', 'cancelled'])
    for (const hoursAgo of [0.1, 0.5, 1.5]) await end(status, hoursAgo, false);
  const { lastHour } = await queueHealth({ database });
  expect(Object.fromEntries(lastHour.map(({ status, count }) => [status, count]))).toEqual({
    sent: 1,
    expired: 2,
    cancelled: 2,
  });
});

test('messages that a stop cancelled are counted for an hour, with their numbers', async () => {
  const { accountId } = await makeAccount(database);
  const numberId = await makeNumber(database, { accountId, label: 'Stopped' });
  const end = async (code: string, minutesAgo: number) => {
    const id = await queueMessage(database, { accountId, numberId });
    await database.sql`
      update messages set status = 'cancelled', error_code = ${code}, settled_at = clock_timestamp(),
        created_at = clock_timestamp() - ${minutesAgo} * interval '1 minute' where id = ${id}`;
  };
  for (const minutesAgo of [1, 2, 70]) await end('stopping', minutesAgo);
  await end('cancelled', 1);
  expect((await queueHealth({ database })).stopped).toMatchObject({
    messages: 2,
    lastAt: expect.any(Date),
    numbers: [{ numberId, name: 'Stopped', messages: 2 }],
  });
});

test('a restore is shown for a day, with the steps that are left', async () => {
  const restored = async () => (await queueHealth({ database })).restored;
  const detail = {
    ...{ madeAt: '2026-11-25T20:47:00.139Z', rows: 155, moved: true, lost: 'only the links to the phones' },
    ...{ lostMessages: null, paused: false, unknown: 0, expired: 0, toLink: 0 },
  };
  await database.sql`
    insert into audit_log (action, detail, created_at)
    values ('installation.restore', ${JSON.stringify(detail)}::jsonb, clock_timestamp() - interval '25 hours')`;
  expect(await restored()).toEqual([]);
  const entry = { actor: { kind: 'cli' }, action: 'installation.restore' } as const;
  await audit(database.db, { ...entry, accountId: null, target: null, detail });
  expect(await restored()).toMatchObject([
    {
      title: 'Wirebird was moved from another machine',
      steps: [
        'Point the host name of Wirebird to this machine.',
        'Programs can send as soon as their number is connected.',
      ],
    },
  ]);
});

test('numbers that need a person are counted, and are no problem of the installation', async () => {
  const before = await queueHealth({ database });
  const { accountId } = await makeAccount(database);
  for (const status of ['LOGGED_OUT', 'BLOCKED', 'CONFLICT', 'UNLINKED']) {
    const numberId = await makeNumber(database, { accountId });
    await database.sql`update numbers set status = ${status} where id = ${numberId}`;
  }
  const { needPerson, troubles: found } = await queueHealth({ database });
  expect(needPerson - before.needPerson).toBe(3);
  expect(found).toEqual(before.troubles);
});

test('the numbers that need a person are named, and so are the messages that need a decision', async () => {
  await database.sql`update numbers set status = 'LOGGED_OUT'`;
  const { away, noneCanSend } = await queueHealth({ database });
  expect(noneCanSend).toBe(true);
  expect(away).toHaveLength(3);
  expect(away[0]).toMatchObject({ name: 'Orders', accountName: expect.any(String), status: 'LOGGED_OUT' });

  const { accountId, email } = await makeAccount(database);
  const numberId = await makeNumber(database, { accountId, label: 'Parcels' });
  await linkAsWorker(database, { numberId });
  for (let n = 0; n < 2; n++) await queueMessage(database, { accountId, numberId });
  expect((await queueHealth({ database })).undecided).toEqual({ messages: 0, lastAt: null, numbers: [] });
  await database.sql`
    update messages set set_aside = true, send_at = clock_timestamp() + interval '1 hour' where number_id = ${numberId}`;
  const after = await queueHealth({ database });
  expect(after.noneCanSend).toBe(false);
  expect(after.undecided).toMatchObject({
    messages: 2,
    numbers: [{ numberId, name: 'Parcels', accountId, accountName: email, messages: 2 }],
  });
});

test('messages that a restore left unknown are named for 7 days, until they are settled', async () => {
  const { accountId, email } = await makeAccount(database);
  const numberId = await makeNumber(database, { accountId, label: 'Restored' });
  const unclear = async () => (await queueHealth({ database })).unclear;
  const ids: string[] = [];
  for (const detail of ['restored', 'restored', 'session_lost']) {
    const id = await queueMessage(database, { accountId, numberId });
    await database.sql`update messages set status = 'sending', wa_message_id = id where id = ${id}`;
    await database.sql`update messages set status = 'unknown', settled_at = clock_timestamp() where id = ${id}`;
    await database.sql`insert into message_events (message_id, event, detail) values (${id}, 'unknown', ${detail})`;
    ids.push(id);
  }
  expect(await unclear()).toMatchObject({
    messages: 2,
    numbers: [{ numberId, name: 'Restored', accountId, accountName: email, messages: 2 }],
  });
  await database.sql`update messages set dismissed_at = clock_timestamp() where id = ${ids[0] ?? ''}`;
  expect(await unclear()).toMatchObject({ messages: 1 });
  await database.sql`update messages set settled_at = settled_at - interval '7 days' where number_id = ${numberId}`;
  expect(await unclear()).toMatchObject({ messages: 0, lastAt: null, numbers: [] });
});

test('requests to send that were refused in the last hour are counted by their code', async () => {
  const { accountId } = await makeAccount(database);
  const numberId = await makeNumber(database, { accountId });
  const hour = 3_600_000;
  const refused = (errorCode: string | null, agoMs = 0, endpoint = 'POST /messages/text') => ({
    ...{
      accountId,
      numberId,
      keyId: null,
      at: new Date(Date.now() - agoMs),
      endpoint,
      status: 503,
      errorCode,
    },
    ...{ requestId: 'r', durationMs: 1, messageId: null, reference: null, body: null, answer: null },
  });
  await insertRequests(database, [
    ...[refused('stopping'), refused('not_connected'), refused('not_connected'), refused(null)],
    ...[refused('stopping', 1.1 * hour), refused('stopping', 0, 'GET /messages/{id}')],
  ]);
  expect((await queueHealth({ database })).refused).toEqual([
    { code: 'not_connected', count: 2 },
    { code: 'stopping', count: 1 },
  ]);
});

test('an open transaction that keeps messages out of the search index is reported after ten minutes, with its session', async () => {
  const { accountId } = await makeAccount(database);
  const numberId = await makeNumber(database, { accountId });
  const messageId = await queueMessage(database, { accountId, numberId });
  const index = () => indexMessages({ database }, { batch: 1 });
  const before = await troubles();
  expect(await findSearchWait(database)).toBeNull();
  const forgotten = await reserve(database.pool);
  await forgotten`begin`;
  await forgotten`set local idle_in_transaction_session_timeout = 0`;
  await forgotten`update messages set settled_at = now() where id = ${messageId}`;
  const [session] = await forgotten<{ pid: number; user: string }[]>`
    select pg_backend_pid() as pid, current_user as "user"`;
  expect((await index()).indexed).toBe(0);
  expect((await findSearchWait(database))?.seconds).toBeLessThan(60);
  expect(await troubles()).toEqual(before);

  // Ten minutes pass. The index still waits, and since then.
  await database.sql`
    update installation set value = (value::timestamptz - interval '10 minutes')::text where key = 'search index waits'`;
  await index();
  const { troubles: found, searchWaitsFor } = await queueHealth({ database });
  expect(found).toEqual([...before, { kind: 'search_waits', count: 1 }]);
  expect(searchWaitsFor).toEqual([{ ...session, application: 'wirebird', openSeconds: expect.any(Number) }]);

  await forgotten`commit`;
  forgotten.release({ reusable: true });
  expect((await index()).indexed).toBeGreaterThan(0);
  expect(await troubles()).toEqual(before);
  expect(await findSearchWait(database)).toBeNull();
});
