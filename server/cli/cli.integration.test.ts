import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { unzipSync } from 'fflate';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { identifyCaller } from '#server/api-keys/caller.ts';
import { resetPassword } from '#server/people/change-password.ts';
import { verifyPassword } from '#server/people/verify-password.ts';
import { type CliRun, cliValue, printedValue, runCli } from '#server/testing/cli.ts';
import { ResidentCli } from '#server/testing/cli-resident.ts';
import { createTestDatabase } from '#server/testing/database.ts';
import { freshEmail, IN_A_MONTH, linkAsWorker, PASSWORD } from '#server/testing/domain.ts';

// Some commands run as separate processes, which takes time on a busy machine.
vi.setConfig({ testTimeout: 180_000 });

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let dataDir: string;
let env: Record<string, string | undefined>;
let resident: ResidentCli;

beforeAll(async () => {
  database = await createTestDatabase();
  dataDir = await mkdtemp(path.join(os.tmpdir(), 'wirebird-cli-'));
  env = { DATABASE_URL: database.url, DATA_DIR: dataDir, GRACE_DAYS: '0' };
  resident = new ResidentCli(env);
});
afterAll(async () => {
  await resident.end();
  await database.drop();
  await rm(dataDir, { recursive: true, force: true });
});

const cli = async <T = Record<string, unknown>>(...args: string[]) =>
  printedValue<T>(await resident.run(args));

function expectRefusal(run: CliRun, sentence: string) {
  expect(run).toEqual({ code: 1, stdout: '', stderr: expect.stringContaining(sentence) });
  expect(run.stderr).toMatch(/^[^\n]+\n$/);
}

describe('accounts', () => {
  test('are created, get a plan and lose it, each result printed as one value', async () => {
    const email = freshEmail();
    // As a separate process, as an operator calls it.
    const create = ['account', 'create', '--email', email, '--password', PASSWORD, '--admin'];
    const made = await cliValue(create, env);
    expect(made).toEqual({ account: expect.stringMatching(/^acc_/), email });
    expect(await verifyPassword({ database }, { email, password: PASSWORD, address: '::1' })).not.toBeNull();
    const [user] = await database.sql`select admin from users where email = ${email}`;
    expect(user).toEqual({ admin: true });

    const plan = {
      account: made.account,
      suspended: false,
      numbersUsed: 0,
      endsSoon: false,
      price: 25,
      trial: null,
    };
    const terms = ['--numbers', '2', '--until', IN_A_MONTH, '--note', 'invoice 7'];
    const active = { ...plan, state: 'active', numbersIncluded: 2, paidUntil: IN_A_MONTH };
    expect(await cli('account', 'activate', '--email', email, ...terms)).toEqual(active);
    expect(await cli('account', 'activate', '--account', String(made.account), ...terms)).toEqual(active);
    expect(await cli('account', 'deactivate', '--email', email)).toEqual({ ...active, state: 'ended' });
    expect(await cli('account', 'list', '--search', email)).toMatchObject([
      { account: made.account, email, plan: 'ended', numbers: 0 },
    ]);
  });

  test('keep a plan that works, unless the command says that a day in the past ends it', async () => {
    const email = freshEmail();
    await cli('account', 'create', '--email', email, '--password', PASSWORD);
    const until = (day: string) => [
      'account',
      'activate',
      '--email',
      email,
      '--numbers',
      '2',
      '--until',
      day,
    ];
    await cli(...until(IN_A_MONTH));
    expectRefusal(
      await resident.run(until('2025-01-31')),
      '2025-01-31 is past, so the plan would end at once and its waiting messages would be cancelled. Nothing was changed. Correct the day, or run the command again with --end-now.',
    );
    expect(await cli('account', 'list', '--search', email)).toMatchObject([{ plan: 'active' }]);
    expect(await cli(...until('2025-01-31'), '--end-now')).toMatchObject({ state: 'expired' });
  });

  test('are all listed, however many there are', async () => {
    await database.sql`
      insert into accounts (id, name) select 'acc_' || n, 'Heron ' || n from generate_series(1, 1001) n`;
    expect(await cli('account', 'list', '--search', 'Heron')).toHaveLength(1001);
    await database.sql`delete from accounts where name like 'Heron %'`;
  });

  test('whose users lost a password or phone give them a link, and can disable them', async () => {
    const email = freshEmail();
    await cli('account', 'create', '--email', email, '--password', PASSWORD);
    await database.sql`update users set totp_secret = 'x', totp_since = now() where email = ${email}`;
    const { link, expiresInSeconds } = await cli('account', 'reset', '--email', email);
    expect([new URL(String(link)).pathname, expiresInSeconds]).toEqual(['/reset', 1800]);
    const token = new URL(String(link)).hash.slice(1);
    const password = 'granite otter under willow';
    await resetPassword({ database, address: null }, { token, password });
    const verify = () => verifyPassword({ database }, { email, password, address: '::1' });
    await expect(verify()).rejects.toMatchObject({ code: 'second_factor' });
    await cli('account', 'reset', '--email', email, '--second-factor');
    expect(await verify()).not.toBeNull();
    expect(await cli('account', 'disable', '--email', email)).toEqual({ email, disabled: true });
    expect(await verify()).toBeNull();
    await cli('account', 'enable', '--email', email);
    expect(await verify()).not.toBeNull();
    expectRefusal(await runCli(['account', 'disable', '--email', freshEmail()], env), 'No user has');
  });

  test('a user who is created without a password sets it with the printed link', async () => {
    const email = freshEmail();
    const made = await cli('account', 'create', '--email', email);
    expect(made).toEqual({
      account: expect.stringMatching(/^acc_/),
      email,
      link: expect.stringContaining('/reset#'),
      expiresInSeconds: 1800,
    });
    const token = new URL(String(made.link)).hash.slice(1);
    await resetPassword({ database, address: null }, { token, password: PASSWORD });
    expect(await verifyPassword({ database }, { email, password: PASSWORD, address: '::1' })).not.toBeNull();
  });

  test('are exported to a file, and deleted only with --yes', async () => {
    const email = freshEmail();
    const { account } = await cli('account', 'create', '--email', email, '--password', PASSWORD);
    const of = ['--account', String(account)];
    const out = path.join(dataDir, 'export.zip');
    const toFile = ['account', 'export', ...of, '--out', out];
    expectRefusal(await resident.run(toFile), 'Run it again with --yes');
    await expect(stat(out)).rejects.toMatchObject({ code: 'ENOENT' });
    expect(await cli(...toFile, '--yes')).toEqual({ account, file: out });
    expect((await stat(out)).mode & 0o777).toBe(0o600);
    const files = unzipSync(await readFile(out));
    expect(new TextDecoder().decode(files['people.json'])).toContain(email);
    // An existing file is not overwritten, and what was not exported is not in the audit log.
    expect((await resident.run([...toFile, '--yes'])).code).toBe(1);
    const audited = await database.sql`
      select from audit_log where action = 'account.export' and account_id = ${String(account)}`;
    expect(audited).toHaveLength(1);

    expectRefusal(await resident.run(['account', 'delete', ...of]), 'Run it again with --yes');
    expect(await verifyPassword({ database }, { email, password: PASSWORD, address: '::1' })).not.toBeNull();
    expect(await cli('account', 'delete', ...of, '--yes')).toMatchObject({ account });
    expect(await verifyPassword({ database }, { email, password: PASSWORD, address: '::1' })).toBeNull();
  });

  test('are refused in one line with what to do', async () => {
    const email = freshEmail();
    const run = (...args: string[]) => resident.run(args);
    expectRefusal(await run('account', 'create', '--email', email, '--password', 'short'), 'at least 12');
    expectRefusal(
      await run('account', 'activate', '--email', email, '--numbers', '1', '--until', IN_A_MONTH),
      `No user with the email address ${email} has an account.`,
    );
    expectRefusal(await run('account', 'deactivate'), 'Name the account: (--email E | --account acc_…).');
    expectRefusal(await run('account', 'create', '--mail', email), "Unknown option '--mail'. Usage: npm run");
  });
});

describe('numbers and keys', () => {
  test('are created, listed, unlinked, revoked and removed', async () => {
    const email = freshEmail();
    await cli('account', 'create', '--email', email, '--password', PASSWORD);
    const number = ['--email', email, '--network', 'sandbox', '--label', 'Orders', '--interval', '5'];
    const added = await cli('number', 'add', ...number);
    expect(added).toEqual({ instance: expect.stringMatching(/^num_/), status: 'UNLINKED' });
    const instance = String(added.instance);

    const { key, id, ...rest } = await cli('key', 'create', '--instance', instance, '--name', 'Shop');
    expect(rest).toEqual({});
    expect(await identifyCaller({ database }, String(key))).toMatchObject({
      keyId: id,
      number: { id: instance },
    });
    const record = { id, name: 'Shop', instance, numberLabel: 'Orders', revokedAt: null };
    expect(await cli('key', 'list', '--email', email)).toMatchObject([record]);

    await linkAsWorker(database, { numberId: instance, phone: '491700000042' });
    const listed = {
      instance,
      label: 'Orders',
      network: 'sandbox',
      phoneNumber: '491700000042',
      sandboxPhone: expect.stringMatching(/^999\d{9}$/),
      status: 'CONNECTED',
      cause: null,
      statusReason: null,
      statusSince: expect.any(String),
      sendIntervalSeconds: 5,
      held: false,
      stranded: false,
      sessionStop: null,
      onTrial: false,
      protected: false,
      replacementPhone: null,
      withinPlan: false,
      access: 'none',
      blockedLeftMs: null,
      waiting: 0,
      toDecide: 0,
      toDecideScheduled: 0,
      keptBack: 0,
      scheduled: 0,
      closedToNew: false,
      failing: null,
      keptBackUntil: null,
      createdAt: expect.any(String),
    };
    expect(await cli('number', 'list', '--email', email)).toEqual([listed]);
    const unlinked = {
      ...{ ...listed, status: 'UNLINKED', cause: { code: 'unlinked' } },
      statusReason: 'Unlinked in the dashboard.',
    };
    expect(await cli('number', 'unlink', '--instance', instance)).toEqual(unlinked);
    expect(await cli('key', 'revoke', '--id', String(id))).toMatchObject({
      ...record,
      revokedAt: expect.any(String),
    });
    await expect(identifyCaller({ database }, String(key))).rejects.toMatchObject({ code: 'unauthorized' });
    expect(await cli('number', 'remove', '--instance', instance)).toEqual({ ...unlinked, removed: true });
    expect(await cli('number', 'list', '--email', email)).toEqual([]);
    const actors = await database.sql`
      select distinct kind from audit_actors a join audit_log l on l.id = a.audit_id where l.target = ${instance}`;
    expect([...actors]).toEqual([{ kind: 'cli' }]);
  });

  test('that are missing or invalid are refused in one line', async () => {
    const email = freshEmail();
    await cli('account', 'create', '--email', email, '--password', PASSWORD);
    const run = (...args: string[]) => resident.run(args);
    expectRefusal(await run('number', 'unlink', '--instance', 'num_none'), 'There is no number num_none.');
    expectRefusal(await run('key', 'create', '--instance', 'num_none'), 'There is no number num_none.');
    expectRefusal(await run('key', 'revoke', '--id', 'key_none'), 'There is no key key_none.');
    expectRefusal(
      await run('number', 'add', '--email', email, '--network', 'sandbox', '--interval', '4'),
      'a whole number of seconds, 5 to 600',
    );
    const { instance } = await cli('number', 'add', '--email', email, '--network', 'whatsapp');
    expectRefusal(await run('sandbox', 'inbox', '--instance', String(instance)), 'is on the real network');
  });
});

describe('without a running product', () => {
  test('linking says so at once, and so does the sandbox', async () => {
    const email = freshEmail();
    await cli('account', 'create', '--email', email, '--password', PASSWORD);
    const { instance } = await cli('number', 'add', '--email', email, '--network', 'sandbox');
    expectRefusal(
      await resident.run(['number', 'link', '--instance', String(instance)]),
      'Wirebird is not running, so nothing can be linked. Start it with "npm start"',
    );
    for (const args of [['inbox', '--instance', String(instance)], ['samples']])
      expectRefusal(await resident.run(['sandbox', ...args]), 'The sandbox is not running.');
  });

  test('an unreachable database and a wrong setting are one line each', async () => {
    const list = ['account', 'list'];
    expectRefusal(
      await runCli(list, { ...env, DATABASE_URL: 'postgres://nobody:secret@127.0.0.1:9/none' }),
      'Database 127.0.0.1:9/none (DATABASE_URL) cannot be reached',
    );
    expectRefusal(await runCli(list, { ...env, GRACE_DAYS: 'many' }), 'GRACE_DAYS is "many"');
  });
});

test('a command creates no installation in an empty database, and a backup of one without a user is an error', async () => {
  const mistyped = await createTestDatabase({ empty: true });
  const unused = await createTestDatabase();
  try {
    for (const args of [
      ['account', 'list'],
      ['move', 'preview'],
      ['backup', `${dataDir}/nothing`],
    ])
      expectRefusal(
        await runCli(args, { ...env, DATABASE_URL: mistyped.url }),
        'and this command makes none. Correct DATABASE_URL. A new installation is made by the first start',
      );
    expect(await mistyped.sql`select 1 from pg_namespace where nspname = 'drizzle'`).toEqual([]);
    expectRefusal(
      await runCli(['backup', `${dataDir}/nothing`], { ...env, DATABASE_URL: unused.url }),
      'There is nothing to back up: this installation has no user.',
    );
    expect(await readdir(dataDir)).not.toContain('nothing');
  } finally {
    await Promise.all([mistyped.drop(), unused.drop()]);
  }
});

test('a statement that the database refuses is one line, without its text', async () => {
  await database.sql`alter table subscriptions rename to subscriptions_away`;
  const run = await resident.run(['account', 'list']);
  await database.sql`alter table subscriptions_away rename to subscriptions`;
  expect(run).toEqual({
    code: 1,
    stdout: '',
    stderr: 'The database refused a statement of this command (relation "subscriptions" does not exist).\n',
  });
});

describe('backup, restore and going back', () => {
  test('a backup that the disk has no room for is one line, and leaves nothing', async () => {
    const file = path.join(dataDir, 'full.backup');
    // Files of at most 512 bytes, or 1024 in bash.
    const run = await runCli(['backup', file], env, 'ulimit -f 1; exec "$0" "$@"');
    expectRefusal(run, `${file} cannot be written. There is not enough room for it. Make room,`);
    expect((await readdir(dataDir)).filter((name) => name.startsWith('full'))).toEqual([]);
  });

  test('a backup replaces existing data only with --replace, and a move can be announced and undone', async () => {
    const email = freshEmail();
    await cli('account', 'create', '--email', email, '--password', PASSWORD);
    const file = path.join(dataDir, 'before.backup');
    expect(await cli('backup', file, '--json')).toMatchObject({ file, moved: false });
    await cli('account', 'create', '--email', freshEmail(), '--password', PASSWORD);
    const accounts = async () => (await cli<unknown[]>('account', 'list')).length;
    const before = await accounts();

    expectRefusal(
      await resident.run(['restore', file]),
      'or run the command again with --replace to delete its contents.',
    );
    expectRefusal(
      await runCli(['restore', file, '--replace'], { ...env, KEY_PEPPER: 'another pepper '.repeat(4) }),
      'The secrets here differ from those of the backup (KEY_PEPPER).',
    );
    const damaged = path.join(dataDir, 'damaged.backup');
    const bytes = await readFile(file);
    // Changes gzip's checksum: elsewhere, the change may look like a truncated file.
    bytes.writeUInt8(bytes.readUInt8(bytes.length - 6) ^ 0x10, bytes.length - 6);
    await writeFile(damaged, bytes);
    expectRefusal(await resident.run(['restore', damaged, '--replace']), 'is damaged or was changed');
    expect(await accounts()).toBe(before);

    // The backup belongs to the installation that was replaced, so no other one must be stopped.
    const restored = await cli('restore', file, '--replace', '--json');
    expect(restored).toMatchObject({
      ...{ moved: false, sameInstallation: true, lost: [{ whole: true, members: 1, ofNumbers: [] }] },
      warning: expect.stringContaining('was replaced by its own earlier backup'),
    });
    expect(JSON.stringify(restored)).not.toContain('never start it again');
    expect(await accounts()).toBe(before - 1);
    // People read the same.
    const costs = await resident.run(['move', 'preview']);
    expect(costs.stdout).toContain('Expire: no message is waiting.');
    expect((await resident.run(['backup', `${file}.read`])).stdout).toMatch(
      /^Written: \S+, \d+ rows, \d+ bytes\.\n$/,
    );
    // The second time, the backup may come from a copy that runs elsewhere.
    expect(await cli('restore', file, '--replace', '--json')).toMatchObject({
      sameInstallation: false,
      warning: expect.stringContaining('never start it again'),
    });

    const moved = await cli('backup', `${file}.moved`, '--move', '--json');
    expect(moved).toMatchObject({ moved: true, next: expect.stringContaining('run "cli restore" there') });
    expect(await cli('move', 'undo', '--json')).toMatchObject({
      moved: false,
      movedAt: expect.any(String),
      warning: expect.stringContaining(
        'Was the installation that you restored from its backup ever started?',
      ),
    });
    expect(await cli('move', 'undo', '--json')).toEqual({ moved: false, movedAt: null });
    expect(await cli('data-dir', 'accept')).toEqual({ dataDir, setAside: null });
  });
});

test('a command whose output has no room on the disk says that it has run', async () => {
  const full = await runCli(['account', 'list'], env, 'exec "$0" "$@" > /dev/full');
  const stderr =
    'The command has run, but its output could not be written. Is the disk of the output full?\n';
  expect(full).toEqual({ code: 1, stdout: '', stderr });
});
