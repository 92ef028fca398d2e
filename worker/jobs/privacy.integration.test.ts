import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { unzipSync } from 'fflate';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { deleteAccount } from '#server/accounts/delete-account.ts';
import { exportAccount } from '#server/accounts/export-account.ts';
import { requestPlan } from '#server/plans/request-plan.ts';
import { log } from '#server/platform/log.ts';
import { startBoss } from '#server/platform/queue/boss.ts';
import { insertRequests } from '#server/requests/queries/requests.ts';
import { dumpAsText } from '#server/testing/database-dump.ts';
import { CLI, makeAccount, signedIn } from '#server/testing/domain.ts';
import { createEndpoint } from '#server/webhooks/endpoints.ts';
import { startWorld, until, type World } from '../testing/world.ts';
import { removeErasedProfiles } from './erased-profiles.ts';
import { handleRetentionJobs } from './retention.ts';

let world: World;
beforeAll(async () => {
  world = await startWorld();
  await handleRetentionJobs({ boss: world.boss, database: world.database, log });
});
afterAll(() => world.stop());

const TO = '491700000042';
const SAID = 'A text that is nobody else’s business';

async function filesIn(parts: AsyncIterable<Uint8Array>): Promise<Record<string, unknown>> {
  const chunks: Uint8Array[] = [];
  for await (const part of parts) chunks.push(part);
  const files = unzipSync(Buffer.concat(chunks));
  return Object.fromEntries(
    Object.entries(files).map(([name, bytes]) => [name, JSON.parse(Buffer.from(bytes).toString('utf8'))]),
  );
}

test('the schedule creates the job once for any number of workers, and the job erases', async () => {
  const other = await startBoss(world.database, 'worker');
  try {
    await handleRetentionJobs({ boss: other, database: world.database, log });
    const schedules = await world.boss.getSchedules();
    expect(schedules.map(({ name, cron }) => ({ name, cron }))).toContainEqual({
      name: 'retention',
      cron: '* * * * *',
    });
    const { numberId, key } = await world.addLinkedNumber();
    const {
      message: { id: messageId },
    } = await world.text(key, TO, 'An old text');
    await world.database
      .sql`update messages set created_at = now() - interval '31 days' where id = ${messageId}`;
    await Promise.all([world.boss.send('retention', {}), other.send('retention', {})]);
    await until(async () => {
      const [row] = await world.database.sql`
        select content is null as erased from messages where id = ${messageId} and number_id = ${numberId}`;
      return row?.erased === true;
    }, 40_000);
  } finally {
    await other.stop({ graceful: false });
  }
});

test('an export contains everything stored for the account and no secret', async () => {
  const { numberId, keyId, key, phone } = await world.addLinkedNumber();
  const {
    message: { id: messageId },
  } = await world.text(key, TO, SAID);
  const { accountId, database } = world;
  await insertRequests(database, [
    {
      ...{ accountId, numberId, keyId, at: new Date(), endpoint: 'POST /messages/text', status: 409 },
      ...{
        errorCode: 'not_connected',
        requestId: 'a request',
        durationMs: 3,
        messageId: null,
        reference: null,
      },
      ...{ body: '{}', answer: '{"success":false}' },
    },
  ]);
  const endpoint = await createEndpoint(
    { database, accountId, actor: CLI },
    { numberId, url: 'https://example.com/hook' },
  );
  await requestPlan(
    { database, accountId, actor: CLI },
    { numbers: 2, contact: 'Ann Heron', note: 'Two shops' },
  );
  const { fileName, parts } = await exportAccount({ database, accountId, actor: CLI });
  expect(fileName).toMatch(/^wirebird-acc_\w+-\d{4}-\d\d-\d\d\.zip$/);
  const files = await filesIn(parts);
  expect(Object.keys(files).sort()).toEqual(
    [
      ...['account', 'audit', 'keys', 'messages', 'numbers', 'payments', 'people', 'plan'],
      ...['planRequests', 'requests', 'webhooks'],
    ].map((name) => `${name}.json`),
  );
  expect(files['messages.json']).toContainEqual(
    expect.objectContaining({
      id: messageId,
      to: `${TO}@c.us`,
      content: { type: 'text', body: SAID },
      status: 'sent',
      timeline: expect.arrayContaining([expect.objectContaining({ event: 'sent' })]),
    }),
  );
  expect(files['numbers.json']).toContainEqual(
    expect.objectContaining({
      id: numberId,
      phoneNumber: phone,
      lookUps: [expect.objectContaining({ digits: TO })],
      recipients: expect.arrayContaining([
        expect.objectContaining({ to: `${TO}@c.us`, knownAt: expect.any(String) }),
      ]),
    }),
  );
  const stored = await database.sql<{ id: string }[]>`select id from numbers where account_id = ${accountId}`;
  expect(stored.length).toBeGreaterThan(1);
  const exported = files['numbers.json'] as { id: string }[];
  expect(exported.map(({ id }) => id)).toEqual(stored.map(({ id }) => id).sort());
  expect(files['people.json']).toEqual([
    expect.objectContaining({ email: 'owner@example.com', role: 'owner' }),
  ]);
  expect(files['audit.json']).toContainEqual(expect.objectContaining({ action: 'account.export' }));
  expect(files['requests.json']).toEqual([
    expect.objectContaining({
      requestId: 'a request',
      errorCode: 'not_connected',
      answer: '{"success":false}',
    }),
  ]);
  expect(files['planRequests.json']).toEqual([
    expect.objectContaining({ numbers: 2, contact: 'Ann Heron', note: 'Two shops' }),
  ]);
  expect(files['webhooks.json']).toEqual([
    expect.objectContaining({ id: endpoint.id, url: 'https://example.com/hook', active: true }),
  ]);
  const [secrets] = await database.sql`
    select (select hmac from api_keys where id = ${keyId}) as hmac, (select password_hash from users limit 1) as hash`;
  const text = JSON.stringify(files);
  for (const secret of [key, endpoint.secret, secrets?.hmac, secrets?.hash])
    expect(text).not.toContain(secret);
});

test('a deleted account loses access at once, and soon nothing of it is left in any table or on the disk', async () => {
  const { database, accountId, actor } = world;
  const directory = await mkdtemp(path.join(os.tmpdir(), 'wirebird-erased-'));
  const { numberId, key, phone } = await world.addLinkedNumber();
  const {
    message: { id: messageId },
  } = await world.text(key, TO, SAID);
  const [owner] = await database.sql<
    { id: string }[]
  >`select user_id as id from memberships where account_id = ${accountId}`;
  const userId = owner?.id ?? '';
  await signedIn(database, { userId });
  const bystander = await makeAccount(database);
  for (const name of [numberId, 'num_of_another_installation'])
    await mkdir(path.join(directory, 'profiles', name, 'session'), { recursive: true });

  await expect(
    deleteAccount({ database, accountId, actor }, { accountName: 'Another name' }),
  ).rejects.toMatchObject({ code: 'invalid_parameters' });
  await deleteAccount({ database, accountId, actor }, { accountName: null });
  await expect(world.text(key, TO, 'late')).rejects.toMatchObject({ code: 'unauthorized' });
  expect(await database.sql`select 1 from sign_ins where user_id = ${userId}`).toHaveLength(0);

  // The worker unlinks the phones; then the job deletes the rows.
  await until(async () => {
    await world.boss.send('retention', {});
    return (await database.sql`select 1 from accounts where id = ${accountId}`).length === 0;
  }, 40_000);
  expect(world.network.isOpen(numberId)).toBe(false);
  const dump = await dumpAsText(database);
  const gone = [SAID, TO, phone, key, messageId, 'owner@example.com', '192.0.2.7'];
  for (const trace of gone) expect(dump.includes(trace), trace).toBe(false);
  const lines = (id: string) =>
    dump.split('\n').flatMap((line) => (line.includes(id) ? [line.split(' ', 1)[0]] : []));
  expect(new Set(lines(accountId))).toEqual(new Set(['public.audit_log']));
  expect(lines(numberId)).toContain('public.erased_numbers');
  expect(lines(userId).filter((table) => table !== 'public.audit_log')).toEqual([]);
  expect(dump).toContain(bystander.email);

  expect(await removeErasedProfiles(database, directory)).toEqual([numberId]);
  expect(await readdir(path.join(directory, 'profiles'))).toEqual(['num_of_another_installation']);
  await rm(directory, { recursive: true });
});

test('the only administrator’s account cannot be deleted until there is another administrator', async () => {
  const { database } = world;
  const [one, two] = [await makeAccount(database, 0), await makeAccount(database, 0)];
  await database.sql`update users set admin = (id = ${one.userId})`;
  const remove = () =>
    deleteAccount({ database, accountId: one.accountId, actor: CLI }, { accountName: one.email });
  await expect(remove()).rejects.toMatchObject({ code: 'forbidden' });
  await database.sql`update users set admin = true where id = ${two.userId}`;
  expect(await remove()).toEqual({ numbers: 0, people: 1 });
});
