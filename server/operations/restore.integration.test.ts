import { createHash } from 'node:crypto';
import { mkdir, mkdtemp, readdir, readFile, rm, stat, utimes, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { gunzipSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { listAudit } from '#server/accounts/audit.ts';
import { overview } from '#server/accounts/overview.ts';
import { raiseAlerts } from '#server/alerts/raise-alerts.ts';
import { identifyCaller } from '#server/api-keys/caller.ts';
import { createApiKey } from '#server/api-keys/create-api-key.ts';
import { takeOverUnknown } from '#server/messages/queries/sweeps.ts';
import { getNumber } from '#server/numbers/get-number.ts';
import { claimLeases } from '#server/numbers/queries/leases.ts';
import { takeUpProfile, writeSnapshot } from '#server/numbers/queries/profiles.ts';
import { verifyPassword } from '#server/people/verify-password.ts';
import {
  emptyForRestore,
  endInterruptedRestore,
  RESTORE_LOCK,
} from '#server/platform/db/empty-for-restore.ts';
import { migrate } from '#server/platform/db/migrate.ts';
import { stopClientBoss } from '#server/platform/queue/boss.ts';
import { createTestDatabase } from '#server/testing/database.ts';
import {
  CLI,
  linkAsWorker,
  makeAccount,
  makeNumber,
  messageState,
  PASSWORD,
  queueMessage,
  signedIn,
} from '#server/testing/domain.ts';
import { replaceIn } from '#server/testing/replace-in.ts';
import { backUp } from './back-up.ts';
import {
  acceptDataDir,
  generationOf,
  requireNotMoved,
  requireOwnDataDir,
  unmarkMoved,
} from './generation.ts';
import { indexMessages } from './index-messages.ts';
import { countStale, foldCounts } from './keep-counts.ts';
import { tablesToBackUp } from './queries/backup.ts';
import { checkBackup } from './read-backup.ts';
import { restore } from './restore.ts';

/** An installation is backed up, and restored on an empty machine. */

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

/** What a restore changes, besides restoring the data. */
const SETTLED = [
  'installation',
  'audit_log',
  'audit_actors',
  'messages',
  'message_count_deltas',
  'message_events',
  'numbers',
  'number_events',
  'leases',
  'profiles',
];

/** A message for tomorrow. */
async function scheduleMessage(
  database: TestDatabase,
  of: { accountId: string; numberId: string },
): Promise<string> {
  const id = await queueMessage(database, of);
  await database.sql`
    update messages set send_at = clock_timestamp() + interval '1 day', deadline_at = clock_timestamp() + interval '2 days'
    where id = ${id}`;
  return id;
}

const rowsOf = (database: TestDatabase, table: string) =>
  database.sql.unsafe(`select to_jsonb(t)::text as row from ${table} t order by 1`);

test('two backups to one file at the same time are not in each other’s way, and the rests of killed ones are removed', async () => {
  const there = await readdir(directory);
  const twice = path.join(directory, 'twice');
  const stay = ['twice.00000002.partial', 'twice-as-long.00000001.partial', 'twice.partial'];
  for (const name of ['twice.00000001.partial', ...stay])
    await writeFile(path.join(directory, name), 'killed');
  const longAgo = new Date(Date.now() - 2 * 3_600_000);
  for (const name of ['twice.00000001.partial', 'twice-as-long.00000001.partial', 'twice.partial'])
    await utimes(path.join(directory, name), longAgo, longAgo);
  await makeAccount(old);
  await Promise.all([1, 2].map(() => backUp({ database: old }, { file: twice })));
  expect(await checkBackup(twice)).toMatchObject({ moved: false });
  expect((await readdir(directory)).sort()).toEqual([...there, 'twice', ...stay].sort());
});

test('every account, key and message is restored; no waiting message is sent; every number has to be linked again', async () => {
  const { accountId, userId, email } = await makeAccount(old);
  const linked = async (network: 'whatsapp' | 'sandbox') => {
    const numberId = await makeNumber(old, { accountId, network });
    const holding = await linkAsWorker(old, { numberId });
    await takeUpProfile(old, holding, { volumeId: 'vol_old', host: 'alder', generation: 1 });
    await writeSnapshot(old, holding, { version: 1, sealed: Buffer.from([0, 1, 2, 255]) });
    return numberId;
  };
  const [real, sandbox] = [await linked('whatsapp'), await linked('sandbox')];
  const { key } = await createApiKey({ database: old, accountId, actor: CLI }, { numberId: real });
  const queued = await queueMessage(old, { accountId, numberId: real });
  const queuedToo = await queueMessage(old, { accountId, numberId: sandbox });
  await old.sql`update messages set idempotency_key = 'order-7' where id = ${queuedToo}`;
  const sending = await queueMessage(old, { accountId, numberId: sandbox });
  const sent = await queueMessage(old, { accountId, numberId: sandbox });
  await old.sql`update messages set status = 'sending', wa_message_id = id, dispatched_at = clock_timestamp() where id = any(${[sending, sent]})`;
  await old.sql`update messages set status = 'sent' where id = ${sent}`;
  await countStale({ database: old });
  await foldCounts({ database: old });
  await indexMessages({ database: old }, { batch: 1 });
  await old.sql`update messages set status = 'delivered' where id = ${sent}`;
  const later = await scheduleMessage(old, { accountId, numberId: real });
  await signedIn(old, { userId });
  await old.sql`insert into processes (id, kind, host, pid) values ('wrk_old', 'worker', 'alder', 7)`;

  await backUp({ database: old }, { file });
  expect((await stat(file)).mode & 0o777).toBe(0o600);
  await expect(backUp({ database: old }, { file })).rejects.toMatchObject({ code: 'already_exists' });
  await expect(backUp({ database: old }, { file: `${file}-nowhere/backup` })).rejects.toThrow(
    /cannot be written/,
  );
  expect(gunzipSync(await readFile(file)).includes(key)).toBe(false);
  // A stored session: with those of a few dozen numbers, a backup would not fit into memory.
  expect(gunzipSync(await readFile(file)).includes('000102ff')).toBe(false);

  const restored = await restore({ database: fresh }, { file, otherSecrets: false });
  expect(restored).toMatchObject({
    ...{ moved: false, sameInstallation: false, otherSecrets: [] },
    ...{ expired: 0, unknown: 4, scheduled: 0, toLink: 2, replaced: false, lost: null },
  });
  const [entry, ...earlier] = (await listAudit({ database: fresh }, { limit: 100 })).rows;
  expect(entry).toMatchObject({
    ...{ action: 'installation.restore', actor: 'cli', accountId: null },
    detail: { madeAt: restored.madeAt, rows: restored.rows },
  });
  expect(earlier).toEqual((await listAudit({ database: old }, { limit: 100 })).rows);
  const tables = (await tablesToBackUp(old.db)).map(({ name }) => name);
  expect(tables).toEqual(expect.arrayContaining(['users', 'accounts', 'api_keys', 'messages', 'audit_log']));
  for (const table of tables)
    if (!SETTLED.includes(table)) expect(await rowsOf(fresh, table), table).toEqual(await rowsOf(old, table));
  for (const table of ['sign_ins', 'processes', 'search_blocks']) {
    expect(await rowsOf(old, table), table).not.toEqual([]);
    expect(await rowsOf(fresh, table), table).toEqual([]);
  }
  expect(
    await verifyPassword({ database: fresh }, { email, password: PASSWORD, address: '::1' }),
  ).not.toBeNull();
  expect((await identifyCaller({ database: fresh }, key)).accountId).toBe(accountId);
  // The old installation may still send it, so its outcome is unknown.
  expect(await messageState(fresh, queued)).toMatchObject({
    status: 'unknown',
    errorCode: 'send_unknown',
    error: expect.stringContaining('It may have been sent since.'),
  });
  expect(await messageState(fresh, sending)).toMatchObject({
    status: 'unknown',
    error: expect.stringContaining('It may have arrived.'),
  });
  expect(await messageState(fresh, later)).toMatchObject({
    status: 'unknown',
    error: expect.stringMatching(
      /was scheduled when the service was restored.*If the earlier installation runs at the scheduled time, it sends the message\./,
    ),
  });
  expect(await messageState(fresh, sent)).toEqual(await messageState(old, sent));

  // Kept counts, counts that were not kept yet, and what the restore itself changed.
  const counts = (await overview({ database: fresh, accountId })).numbers;
  expect(counts.find((row) => row.numberId === sandbox)).toMatchObject({ sent: 1, delivered: 1, unknown: 2 });
  expect(counts.find((row) => row.numberId === real)).toMatchObject({ sent: 0, unknown: 2 });

  // The sandbox's data is not in a backup, so its virtual phone knows no earlier link either.
  for (const numberId of [real, sandbox])
    expect(await getNumber({ database: fresh, accountId }, { numberId })).toMatchObject({
      status: 'LOGGED_OUT',
      statusReason: expect.stringContaining('Link the number again'),
    });
  const worker = { workerId: 'wrk_new', volumeId: 'vol_new', most: 10, free: 10 };
  expect(await claimLeases(fresh, worker)).toEqual([]);
  // A repeat joins the message instead of sending again. It was never dispatched, so no outcome is looked up.
  const [kept] = await fresh.sql`select status, idempotency_key as key from messages where id = ${queuedToo}`;
  expect(kept).toEqual({ status: 'unknown', key: 'order-7' });
  const holding = await linkAsWorker(fresh, { numberId: sandbox });
  expect((await takeOverUnknown(fresh, holding)).map(({ waMessageId }) => waMessageId)).toEqual([sending]);
  expect(await fresh.sql`select 1 from profiles where snapshot is not null`).toEqual([]);

  // New rows do not collide with restored ones.
  const next = await queueMessage(fresh, { accountId, numberId: sandbox });
  expect((await messageState(fresh, next)).events).toEqual(['accepted']);
  await expect(restore({ database: fresh }, { file, otherSecrets: false })).rejects.toMatchObject({
    code: 'already_exists',
  });
});

test('a backup with every character that a text can have is read and restored', async () => {
  const [from, to] = await Promise.all([createTestDatabase(), createTestDatabase()]);
  try {
    const { accountId } = await makeAccount(from);
    const numberId = await makeNumber(from, { accountId });
    const breaks = ['\u2028', '\u2029', '\u0085', '\r', '\r\n', '\v', '\f', '\u0001', '\u007f', '\ufeff'];
    const body = [...breaks, '\ufffe', '\\n', '"', '{"end":{', '🦉', 'e\u0301', '\u202e'].join('|');
    const messageId = await queueMessage(from, { accountId, numberId });
    await from.sql`update messages set content = jsonb_set(content, '{body}', to_jsonb(${body}::text)), reference = ${body} where id = ${messageId}`;
    await from.sql`update numbers set label = ${body} where id = ${numberId}`;
    const strange = path.join(directory, 'strange.gz');
    await backUp({ database: from }, { file: strange });
    await restore({ database: to }, { file: strange, otherSecrets: false });
    const [restored] = await to.sql`
      select m.content->>'body' as body, m.reference, n.label from messages m join numbers n on n.id = m.number_id
      where m.id = ${messageId}`;
    expect(restored).toEqual({ body, reference: body, label: body });
  } finally {
    await Promise.all([from.drop(), to.drop()]);
  }
});

test('a restore leaves finished messages as they are, and one whose deadline had passed at the backup is not sent', async () => {
  const [from, to] = await Promise.all([createTestDatabase(), createTestDatabase()]);
  try {
    const { accountId } = await makeAccount(from);
    const numberId = await makeNumber(from, { accountId });
    const of = { accountId, numberId };
    const finished: string[] = [];
    for (const status of ['sent', 'delivered', 'read', 'failed', 'unknown', 'expired', 'cancelled']) {
      const id = await queueMessage(from, of);
      if (!['expired', 'cancelled'].includes(status))
        await from.sql`update messages set status = 'sending', wa_message_id = id where id = ${id}`;
      await from.sql`update messages set status = ${status}, settled_at = clock_timestamp() where id = ${id}`;
      finished.push(id);
    }
    const late = await queueMessage(from, of);
    await from.sql`update messages set deadline_at = clock_timestamp() - interval '5 minutes' where id = ${late}`;
    const made = path.join(directory, 'finished.gz');
    await backUp({ database: from }, { file: made });
    expect(await restore({ database: to }, { file: made, otherSecrets: false })).toMatchObject({
      ...{ expired: 1, unknown: 0 },
    });
    for (const id of finished) expect(await messageState(to, id)).toEqual(await messageState(from, id));
    expect(await messageState(to, late)).toMatchObject({ status: 'expired', errorCode: 'deadline_passed' });
  } finally {
    await Promise.all([from.drop(), to.drop()]);
  }
});

/** A backup as text, and a backup file made from a text. */
const textOf = async (of: string) => gunzipSync(await readFile(of)).toString();
async function fileOf(name: string, text: string): Promise<string> {
  const made = path.join(directory, name);
  await writeFile(made, gzipSync(text));
  return made;
}
/** The text of a backup with a matching checksum. */
function summed(text: string): string {
  const body = text.slice(0, text.lastIndexOf('{"end":'));
  return `${body}${JSON.stringify({ end: {}, sha256: createHash('sha256').update(body).digest('hex') })}\n`;
}

describe('a file that is not a complete backup of this version', () => {
  let empty: TestDatabase;
  beforeAll(async () => {
    empty = await createTestDatabase();
  });
  afterAll(() => empty.drop());

  const DAMAGED = /^\S+ is damaged or was changed after it was made: its checksum does not match\. Restore/;
  const NEWER = /^\S+ was made by a newer Wirebird \(\S+\) than this one \(\S+\)\. Restore it with/;
  const EARLIER = /before the first release/;
  test.each([
    ['one that was edited', (text: string) => text.replace('@example.org', '@example.net'), DAMAGED],
    ['one from which a row was taken', (text: string) => text.replace(/\n\{"id"[^\n]*/, ''), DAMAGED],
    ['one with a row behind its end', (text: string) => `${text}{"id": 1}\n`, DAMAGED],
    [
      'one without its end',
      (text: string) => text.slice(0, text.lastIndexOf('{"end"')),
      /^\S+ is incomplete/,
    ],
    [
      'one of a later schema',
      (text: string) => text.replace(/"schema":\d+/, '"schema":9999999999999'),
      NEWER,
    ],
    ['one of a later format', (text: string) => text.replace('"format":2', '"format":3'), NEWER],
    ['one of an earlier format', (text: string) => text.replace('"format":2', '"format":1'), EARLIER],
    ['one of an earlier schema', (text: string) => text.replace(/"schema":\d+/, '"schema":1'), EARLIER],
    ['another text', () => 'something else\n', /^\S+ is not a backup of Wirebird\.$/],
  ])('is refused in one sentence: %s', async (name, change, sentence) => {
    const changed = await fileOf(`${name.replaceAll(' ', '-')}.gz`, change(await textOf(file)));
    await expect(restore({ database: empty }, { file: changed, otherSecrets: false })).rejects.toMatchObject({
      code: 'invalid_parameters',
      message: expect.stringMatching(sentence),
    });
    expect(await empty.sql`select 1 from accounts`).toEqual([]);
  });

  test('is refused in one sentence: a changed byte, cut off, a directory, missing, or no backup', async () => {
    const whole = await readFile(file);
    const flipped = Buffer.from(whole);
    flipped.writeUInt8(flipped.readUInt8(whole.length >> 1) ^ 0x10, whole.length >> 1);
    const raw = async (name: string, bytes: Buffer | string) => {
      await writeFile(path.join(directory, name), bytes);
      return path.join(directory, name);
    };
    // Refused for its first line, before the checksum at its end is read.
    const early = gzipSync(`nothing\n${'x'.repeat(100_000)}\n`);
    early.writeUInt8(early.readUInt8(early.length - 6) ^ 0x10, early.length - 6);
    for (const [other, sentence] of [
      [await raw('flipped.gz', flipped), DAMAGED],
      [await raw('early.gz', early), /is not a backup/],
      [await raw('cut.gz', whole.subarray(0, whole.length - 100)), /is incomplete/],
      [await raw('empty.gz', ''), /is (incomplete|not a backup)/],
      [await raw('other.gz', 'something else'), /is not a backup/],
      [directory, /is not a backup/],
      [path.join(directory, 'nowhere.gz'), /is not there/],
    ] as const)
      await expect(
        restore({ database: empty }, { file: other, otherSecrets: false }),
        other,
      ).rejects.toMatchObject({
        code: 'invalid_parameters',
        message: expect.stringMatching(sentence),
      });
    expect(await empty.sql`select 1 from accounts`).toEqual([]);
  });

  test('is refused with other secrets, by their setting names, unless forced', async () => {
    const foreign = await fileOf(
      'foreign.gz',
      summed((await textOf(file)).replace(/"keyPepper":"\w+"/, '"keyPepper":"0000"')),
    );
    await expect(restore({ database: empty }, { file: foreign, otherSecrets: false })).rejects.toMatchObject({
      code: 'forbidden',
      message: expect.stringContaining('(KEY_PEPPER)'),
    });
    expect((await restore({ database: empty }, { file: foreign, otherSecrets: true })).otherSecrets).toEqual([
      'KEY_PEPPER',
    ]);
  });
});

describe('moving an installation', () => {
  let source: TestDatabase;
  let target: TestDatabase;
  let accountId: string;
  let numberId: string;
  let waiting: string;
  let scheduled: string;
  const moved = () => path.join(directory, 'moved.gz');
  const start = (database: TestDatabase) => requireNotMoved({ database });
  beforeAll(async () => {
    [source, target] = await Promise.all([createTestDatabase(), createTestDatabase()]);
    ({ accountId } = await makeAccount(source));
    numberId = await makeNumber(source, { accountId });
    await linkAsWorker(source, { numberId });
    await source.sql`update leases set worker_id = null, expires_at = null`;
    waiting = await queueMessage(source, { accountId, numberId });
    scheduled = await scheduleMessage(source, { accountId, numberId });
  });
  afterAll(() => Promise.all([source.drop(), target.drop()]));

  test('is refused while it runs, and when the backup cannot be written', async () => {
    await source.sql`insert into processes (id, kind, host, pid) values ('wrk_old', 'worker', 'alder', 7)`;
    await expect(backUp({ database: source }, { file: moved(), move: true })).rejects.toMatchObject({
      code: 'forbidden',
      message: expect.stringContaining(
        'Wirebird is still running: a worker process on alder. Nothing was changed. Stop it everywhere',
      ),
    });
    await source.sql`delete from processes`;
    await expect(backUp({ database: source }, { file: '/nowhere/backup', move: true })).rejects.toThrow(
      /cannot be written/,
    );
    await start(source);
  });

  test('leaves it unable to start or send, and says how to undo that; its waiting messages are definitely not sent', async () => {
    expect(await backUp({ database: source }, { file: moved(), move: true })).toMatchObject({ moved: true });
    await expect(start(source)).rejects.toThrow(
      /was moved on .+ UTC .*To continue the move, do nothing here: .*only if the new installation was never started, run "cli move undo"\./,
    );
    const claim = { workerId: 'wrk_late', volumeId: 'vol_old', most: 10, free: 10 };
    expect(await claimLeases(source, claim)).toEqual([]);

    const restored = await restore({ database: target }, { file: moved(), otherSecrets: false });
    expect(restored).toMatchObject({ moved: true, expired: 1, unknown: 0, scheduled: 1 });
    expect(await messageState(target, waiting)).toMatchObject({
      status: 'expired',
      error:
        'The service was moved to another machine before this message was sent. Nothing was sent. Send it again if it still matters.',
    });
    expect(await getNumber({ database: target, accountId }, { numberId })).toMatchObject({
      status: 'LOGGED_OUT',
      statusReason: expect.stringMatching(/^The service was moved to another machine\./),
    });
    // Its owner is notified, once.
    await raiseAlerts({ database: target });
    await raiseAlerts({ database: target });
    expect(
      await target.sql`select number_id, facts from alerts where kind = 'waiting_expired'`,
    ).toMatchObject([{ number_id: numberId, facts: { count: 1, moved: true } }]);
    // Nothing can have sent it, and its owner decides when the number is linked again.
    expect(await messageState(target, scheduled)).toMatchObject({ status: 'queued' });
    const { phoneNumber } = await getNumber({ database: target, accountId }, { numberId });
    await linkAsWorker(target, { numberId, phone: phoneNumber ?? '' });
    expect(await getNumber({ database: target, accountId }, { numberId })).toMatchObject({ toDecide: 1 });
    await start(target);

    await unmarkMoved({ database: source });
    await start(source);
    expect(await claimLeases(source, claim)).toHaveLength(1);
  });
});

describe('a data directory', () => {
  const place = (name: string) => path.join(directory, name);
  const used = async (name: string, database: TestDatabase) => {
    await requireOwnDataDir({ database }, place(name));
    await mkdir(path.join(place(name), 'profiles', 'num_a'), { recursive: true });
    return place(name);
  };

  test('starts no session from before a restore: its profiles are quarantined, and those of another installation refused', async () => {
    const dataDir = await used('data', old);
    await requireOwnDataDir({ database: old }, dataDir);
    expect(await readdir(dataDir)).toEqual(['generation', 'profiles']);

    // `fresh` was restored from `old`.
    await requireOwnDataDir({ database: fresh }, dataDir);
    expect(await readdir(dataDir)).toEqual(['generation', expect.stringMatching(/^profiles\.gen_/)]);
    await expect(requireOwnDataDir({ database: old }, dataDir)).rejects.toThrow(
      /was last used with a database that was restored from a backup of this one/,
    );

    const other = await createTestDatabase();
    try {
      await expect(requireOwnDataDir({ database: other }, dataDir)).rejects.toThrow(
        /belongs to another installation/,
      );
      acceptDataDir(dataDir, await generationOf({ database: other }));
      await requireOwnDataDir({ database: other }, dataDir);
    } finally {
      await other.drop();
    }
  });
});

describe('a restore over existing data', () => {
  let busy: TestDatabase;
  const replace = (of: string) => replaceIn(busy, of);
  const people = async () => (await busy.sql`select id from users order by id`).map(({ id }) => id);
  beforeAll(async () => {
    busy = await createTestDatabase();
  });
  afterAll(() => busy.drop());

  test('is refused without its option, and while something runs', async () => {
    await makeAccount(busy);
    await expect(restore({ database: busy }, { file, otherSecrets: false })).rejects.toMatchObject({
      code: 'already_exists',
      message: expect.stringContaining('run the command again with --replace'),
    });
    await busy.sql`insert into processes (id, kind, host, pid) values ('web_b', 'web', 'birch', 8)`;
    await expect(replace(file)).rejects.toThrow(
      /Wirebird is still running: a web process on birch\. Nothing was changed\. Stop it everywhere/,
    );
    await busy.sql`delete from processes`;
  });

  test('leaves everything unchanged when it fails', async () => {
    const before = await people();
    expect(before).toHaveLength(1);
    const broken = summed((await textOf(file)).replace(/("email": )"[^"]+"/, '$1null'));
    await expect(replace(await fileOf('broken.gz', broken))).rejects.toThrow(/null value/);
    await expect(replace(path.join(directory, 'nowhere.gz'))).rejects.toThrow(/is not there/);
    expect(await people()).toEqual(before);
    expect(await schemas(busy)).toEqual(['drizzle', 'public']);
  });

  test('is refused while another restore of the database runs', async () => {
    const before = await people();
    await busy.sql.begin(async (sql) => {
      await sql`select pg_advisory_xact_lock(${RESTORE_LOCK})`;
      await expect(replace(file)).rejects.toMatchObject({
        code: 'forbidden',
        message: expect.stringContaining('Another restore of this database is running. Nothing was changed.'),
      });
    });
    expect(await people()).toEqual(before);
    expect(await schemas(busy)).toEqual(['drizzle', 'public']);
  });

  test('returns from a later schema version to the backup’s', async () => {
    await busy.sql`create table from_tomorrow (id int)`;
    await busy.sql`insert into drizzle.__drizzle_migrations (hash, created_at) values ('tomorrow', 9999999999999)`;
    const replaced = await generationOf({ database: busy });
    expect(await replace(file)).toMatchObject({ moved: false, sameInstallation: false, unknown: 4 });
    expect(await people()).toEqual((await old.sql`select id from users order by id`).map(({ id }) => id));
    expect(await busy.sql`select to_regclass('from_tomorrow') as there`).toEqual([{ there: null }]);
    expect((await schemas(busy)).filter((name) => name.includes('restore'))).toEqual([]);
    expect((await generationOf({ database: busy })).before).toContain(replaced.id);
  });

  test('that is killed after it has committed leaves only a deletion to the next start', async () => {
    const contents = await emptyForRestore(busy.url, { silenceMs: 0, refuse: () => {} });
    await migrate(busy.url);
    const replaced = { ...contents, generation: null };
    await restore({ database: busy }, { file, otherSecrets: false, replaced });
    const restored = await people();
    expect(await endInterruptedRestore(busy.url)).toBe('deleted');
    expect(await people()).toEqual(restored);
    expect((await schemas(busy)).filter((name) => name.includes('restore'))).toEqual([]);
  });

  test('by a backup of the same installation keeps what is scheduled: nothing else can send it', async () => {
    const { accountId } = await makeAccount(busy);
    const numberId = await makeNumber(busy, { accountId });
    const [waiting, scheduled] = [
      await queueMessage(busy, { accountId, numberId }),
      await scheduleMessage(busy, { accountId, numberId }),
    ];
    const own = path.join(directory, 'own.gz');
    await backUp({ database: busy }, { file: own });
    expect(await replace(own)).toMatchObject({
      ...{ sameInstallation: true, scheduled: 1, expired: 1, unknown: 0 },
      expiredOn: [{ messages: 1, to: [expect.stringMatching(/^\d+$/)], others: 0 }],
      unknownOn: [],
    });
    // It waited until the end, so it was never sent.
    expect(await messageState(busy, waiting)).toMatchObject({
      ...{ status: 'expired', errorCode: 'deadline_passed' },
      error: expect.stringMatching(/^The service was restored from a backup before this message was sent\./),
    });
    expect(await messageState(busy, scheduled)).toMatchObject({ status: 'queued' });
    // From here on it is another generation: the same backup may come from a copy that runs elsewhere.
    expect(await replace(own)).toMatchObject({ sameInstallation: false, scheduled: 0, unknown: 2 });
  });

  test('by a backup of the same installation keeps every outcome that the replaced database knows', async () => {
    const { accountId } = await makeAccount(busy);
    const numberId = await makeNumber(busy, { accountId });
    const ids: string[] = [];
    for (let n = 0; n < 6; n++) ids.push(await queueMessage(busy, { accountId, numberId }));
    const [refused = '', cancelled = '', sent = '', inFlight = '', failed = '', resolved = ''] = ids;
    for (const id of [failed, resolved])
      await busy.sql`update messages set status = 'sending', wa_message_id = id where id = ${id}`;
    await busy.sql`update messages set status = 'unknown', error_code = 'send_unknown' where id = ${resolved}`;
    const own = path.join(directory, 'own-outcomes.gz');
    await backUp({ database: busy }, { file: own });

    const end = async (id: string, status: string, code: string | null) => {
      await busy.sql`
        update messages set status = ${status}, error_code = ${code}, outcome = ${code && '{"say": "detail", "detail": "Nothing was sent."}'}::jsonb, settled_at = clock_timestamp(),
          sent_at = case when ${status} = 'sent' then clock_timestamp() end where id = ${id}`;
      await busy.sql`insert into message_events (message_id, event, detail) values (${id}, ${status}, ${code})`;
    };
    await end(refused, 'expired', 'deadline_passed');
    await end(cancelled, 'cancelled', 'not_connected');
    for (const id of [sent, inFlight])
      await busy.sql`update messages set status = 'sending', wa_message_id = id, dispatched_at = clock_timestamp() where id = ${id}`;
    await end(sent, 'sent', null);
    await end(failed, 'failed', 'send_failed');
    await end(resolved, 'sent', null);
    const ended = [refused, cancelled, sent, failed, resolved];
    const known = await Promise.all(ended.map((id) => messageState(busy, id)));

    expect(await replace(own)).toMatchObject({
      ...{ sameInstallation: true, known: 5, expired: 0, unknown: 1 },
      knownAs: { expired: 1, cancelled: 1, sent: 2, failed: 1 },
    });
    expect(await Promise.all(ended.map((id) => messageState(busy, id)))).toEqual(known);
    expect(await messageState(busy, inFlight)).toMatchObject({ status: 'unknown' });
    const { numbers } = await overview({ database: busy, accountId });
    expect(numbers.find((row) => row.numberId === numberId)).toMatchObject({
      sent: 2,
      unknown: 1,
      failed: 1,
    });
  });

  test('by a backup of the same installation says of each number whether messages are missing', async () => {
    const { accountId } = await makeAccount(busy);
    const [quiet, busyOne] = [await makeNumber(busy, { accountId }), await makeNumber(busy, { accountId })];
    for (const numberId of [quiet, busyOne]) await linkAsWorker(busy, { numberId });
    const own = path.join(directory, 'own-reasons.gz');
    await backUp({ database: busy }, { file: own });
    const id = await queueMessage(busy, { accountId, numberId: busyOne });
    await busy.sql`update messages set status = 'sending', wa_message_id = id where id = ${id}`;
    await replace(own);
    const causes = async (numberId: string) => [
      ...(await busy.sql<{ cause: unknown }[]>`select cause from numbers where id = ${numberId}`),
      ...(await busy.sql<{ cause: unknown }[]>`
        select cause from number_events where number_id = ${numberId} order by id desc limit 1`),
    ];
    const restored = { code: 'restored', madeAt: expect.any(String) };
    for (const { cause } of await causes(quiet)) expect(cause).toEqual({ ...restored, lost: false });
    for (const { cause } of await causes(busyOne)) expect(cause).toEqual({ ...restored, lost: true });
  });
});

test('the steps of docs/fleet.md for a database restored by other means send no old message', async () => {
  const back = await createTestDatabase();
  try {
    const { accountId } = await makeAccount(back);
    const numberId = await makeNumber(back, { accountId });
    const waiting = await queueMessage(back, { accountId, numberId });
    const fleet = await readFile(path.join(import.meta.dirname, '../../docs/fleet.md'), 'utf8');
    await back.sql.unsafe(/```sql\n([\s\S]+?)```/.exec(fleet)?.[1] ?? '');
    expect(await messageState(back, waiting)).toMatchObject({ status: 'unknown', errorCode: 'send_unknown' });
  } finally {
    await back.drop();
  }
});

const schemas = async (database: TestDatabase) =>
  (
    await database.sql<{ name: string }[]>`
      select nspname as name from pg_namespace where nspname !~ '^(pg_|information_)' and nspname <> 'pgboss' order by 1`
  ).map(({ name }) => name);
