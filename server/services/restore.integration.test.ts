import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createTestDatabase } from '#server/db/testing.ts';
import { stopClientBoss } from '#server/queue/boss.ts';
import { tablesToBackUp } from '#server/store/backup.ts';
import { claimLeases } from '#server/store/leases.ts';
import { takeUpProfile, writeSnapshot } from '#server/store/profiles.ts';
import { backUp } from './back-up.ts';
import { identifyCaller } from './caller.ts';
import { createApiKey } from './create-api-key.ts';
import { getNumber } from './get-number.ts';
import { restore } from './restore.ts';
import {
  CLI,
  linkAsWorker,
  makeAccount,
  makeNumber,
  messageState,
  PASSWORD,
  queueMessage,
  signedIn,
} from './testing.ts';
import { verifyPassword } from './verify-password.ts';

/** An installation is backed up, and comes back on a machine that has nothing. */

type TestDatabase = Awaited<ReturnType<typeof createTestDatabase>>;
let old: TestDatabase;
let fresh: TestDatabase;
let directory: string;
let file: string;
beforeAll(async () => {
  [old, fresh] = await Promise.all([createTestDatabase(), createTestDatabase()]);
  directory = await mkdtemp(path.join(os.tmpdir(), 'wirebird-backup-'));
  file = path.join(directory, 'backup.gz');
});
afterAll(async () => {
  await stopClientBoss();
  await Promise.all([old.drop(), fresh.drop()]);
  await rm(directory, { recursive: true, force: true });
});

/** What a restore changes beyond putting it back. */
const SETTLED = [
  'installation',
  'messages',
  'message_events',
  'numbers',
  'number_events',
  'leases',
  'profiles',
];

const rowsOf = (database: TestDatabase, table: string) =>
  database.sql.unsafe(`select to_jsonb(t)::text as row from ${table} t order by 1`);

test('every account, key and message comes back; nothing that waited leaves; a real number asks for a code, one of the sandbox goes on', async () => {
  const { accountId, userId, email } = await makeAccount(old);
  const linked = async (network: 'whatsapp' | 'sandbox') => {
    const numberId = await makeNumber(old, { accountId, network });
    const holding = await linkAsWorker(old, { numberId });
    await takeUpProfile(old, holding, { volumeId: 'vol_old', host: 'alder', generation: 1 });
    await writeSnapshot(old, holding, { version: 1, sealed: Buffer.from([0, 1, 2, 255]) });
    return numberId;
  };
  const [real, sandbox] = [await linked('whatsapp'), await linked('sandbox')];
  const { key } = await createApiKey(old, { accountId, numberId: real, actor: CLI });
  const queued = await queueMessage(old, { accountId, numberId: real });
  const sending = await queueMessage(old, { accountId, numberId: sandbox });
  const sent = await queueMessage(old, { accountId, numberId: sandbox });
  await old.sql`update messages set status = 'sending', wa_message_id = id where id = any(${[sending, sent]})`;
  await old.sql`update messages set status = 'sent' where id = ${sent}`;
  await signedIn(old, { userId });
  await old.sql`insert into processes (id, kind, host, pid) values ('wrk_old', 'worker', 'alder', 7)`;

  await backUp(old, { file });
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  await expect(backUp(old, { file })).rejects.toMatchObject({ code: 'already_exists' });
  await expect(backUp(old, { file: `${file}-nowhere/backup` })).rejects.toThrow(/cannot be written/);
  expect(gunzipSync(await readFile(file)).includes(key)).toBe(false);

  const restored = await restore(fresh, { file, otherSecrets: false });
  expect(restored).toMatchObject({ expired: 1, unknown: 1, toLink: 1, otherSecrets: [] });
  const tables = (await tablesToBackUp(old.sql)).map(({ name }) => name);
  expect(tables).toEqual(expect.arrayContaining(['users', 'accounts', 'api_keys', 'messages', 'audit_log']));
  for (const table of tables)
    if (!SETTLED.includes(table)) expect(await rowsOf(fresh, table), table).toEqual(await rowsOf(old, table));
  for (const table of ['sign_ins', 'processes']) {
    expect(await rowsOf(old, table), table).not.toEqual([]);
    expect(await rowsOf(fresh, table), table).toEqual([]);
  }
  expect(await verifyPassword(fresh, { email, password: PASSWORD, address: '::1' })).not.toBeNull();
  expect((await identifyCaller(fresh, key)).accountId).toBe(accountId);
  expect((await messageState(fresh, queued)).status).toBe('expired');
  expect((await messageState(fresh, sending)).status).toBe('unknown');
  expect(await messageState(fresh, sent)).toEqual(await messageState(old, sent));

  expect(await getNumber(fresh.db, { accountId, numberId: real })).toMatchObject({
    status: 'LOGGED_OUT',
    statusReason: expect.stringContaining('Link the number again'),
  });
  const worker = { workerId: 'wrk_new', volumeId: 'vol_new', most: 10, free: 10 };
  expect((await claimLeases(fresh, worker)).map(({ numberId }) => numberId)).toEqual([sandbox]);
  const snapshots =
    await fresh.sql`select number_id as "numberId", snapshot from profiles where snapshot is not null`;
  expect(snapshots).toEqual([{ numberId: sandbox, snapshot: Buffer.from([0, 1, 2, 255]) }]);

  // What is made from now on does not meet what came back.
  const next = await queueMessage(fresh, { accountId, numberId: sandbox });
  expect((await messageState(fresh, next)).events).toEqual(['accepted']);
  await expect(restore(fresh, { file, otherSecrets: false })).rejects.toMatchObject({
    code: 'already_exists',
  });
});

test('half a backup, or another file, restores nothing', async () => {
  const empty = await createTestDatabase();
  try {
    const whole = gunzipSync(await readFile(file)).toString();
    const cut = path.join(directory, 'cut.gz');
    await writeFile(cut, gzipSync(whole.slice(0, Math.floor(whole.length * 0.7)).replace(/[^\n]*$/, '')));
    const notBackup = path.join(directory, 'other.gz');
    await writeFile(notBackup, 'something else');
    for (const other of [cut, notBackup, directory, path.join(directory, 'nowhere.gz')])
      await expect(restore(empty, { file: other, otherSecrets: false })).rejects.toMatchObject({
        code: 'invalid_parameters',
      });
    expect(await empty.sql`select 1 from accounts`).toEqual([]);
    const foreign = path.join(directory, 'foreign.gz');
    await writeFile(foreign, gzipSync(whole.replace(/"keyPepper":"\w+"/, '"keyPepper":"0000"')));
    await expect(restore(empty, { file: foreign, otherSecrets: false })).rejects.toMatchObject({
      code: 'forbidden',
    });
    expect((await restore(empty, { file: foreign, otherSecrets: true })).otherSecrets).toEqual(['keyPepper']);
  } finally {
    await empty.drop();
  }
});
