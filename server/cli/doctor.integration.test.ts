import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { causeText } from '#server/numbers/cause-text.ts';
import { writeStatus } from '#server/numbers/queries/sessions.ts';
import { markMoved } from '#server/operations/generation.ts';
import { writeProcess } from '#server/operations/queries/processes.ts';
import { endSearchWait, findSearchWait, noteSearchWait } from '#server/operations/queries/search-wait.ts';
import { parseSettings } from '#server/settings.ts';
import { runCli } from '#server/testing/cli.ts';
import { createTestDatabase } from '#server/testing/database.ts';
import { linkAsWorker, makeAccount, makeNumber } from '#server/testing/domain.ts';
import { startSmtpServer } from '#server/testing/smtp.ts';
import { reserve } from '#server/testing/sql.ts';
import { lendBrowser } from '#worker/testing/engine-browser.ts';
import { checkSettings } from './check-settings.ts';
import { browserFinding, findingOf } from './doctor.ts';
import { type Finding, findingsLines } from './findings.ts';

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let dataDir: string;
beforeAll(async () => {
  database = await createTestDatabase();
  dataDir = await mkdtemp(path.join(os.tmpdir(), 'wirebird-doctor-'));
  await lendBrowser(dataDir);
});
afterAll(async () => {
  await database.drop();
  await rm(dataDir, { recursive: true, force: true });
});

const run = (env: Record<string, string>, ...options: string[]) =>
  runCli(['doctor', ...options], { DATABASE_URL: database.url, DATA_DIR: dataDir, ...env });

async function doctor(env: Record<string, string>) {
  const { code, stdout } = await run(env, '--json');
  const { healthy, checks } = JSON.parse(stdout) as { healthy: boolean; checks: Finding[] };
  return { code, healthy, of: (name: string) => checks.find(({ check }) => check === name) };
}

test('an installation without problems is healthy in every check', async () => {
  const smtp = await startSmtpServer();
  await writeProcess(database, { id: 'wrk_1', kind: 'worker', host: 'here', pid: 1, pidSpace: 'here' });
  await writeProcess(database, { id: 'web_1', kind: 'web', host: 'here', pid: 2, pidSpace: 'here' });
  const { code, healthy, of } = await doctor({ SMTP_URL: smtp.url, MAIL_FROM: 'a@wirebird.example' });
  await smtp.close();
  const places = [
    'settings',
    'database',
    'migrations',
    'secrets',
    'clock',
    'workers',
    'numbers',
    'disk',
    'browser',
    'mail',
  ];
  for (const place of places) expect(of(place)).toMatchObject({ ok: true, todo: '' });
  expect({ code, healthy }).toEqual({ code: 0, healthy: true });
}, 120_000);

test('an installation whose only number is logged out is not healthy', async () => {
  const { accountId, email } = await makeAccount(database);
  const numberId = await makeNumber(database, { accountId, label: 'Parcels' });
  const holding = await linkAsWorker(database, { numberId });
  await writeStatus(database, holding, { status: 'LOGGED_OUT', cause: { code: 'logged_out', reason: null } });
  const { healthy, of } = await doctor({});
  expect(healthy).toBe(false);
  expect(of('numbers')).toMatchObject({
    ok: false,
    found: '1 logged out',
    todo: expect.stringMatching(
      new RegExp(`^No number can send\\. .* Parcels, .*${email}: its account links it again\\.$`),
    ),
  });
}, 120_000);

test('an installation whose browser does not start cannot send, and doctor says why', async () => {
  const own = await createTestDatabase();
  const { accountId } = await makeAccount(own);
  const [one, two] = [await makeNumber(own, { accountId }), await makeNumber(own, { accountId })];
  const holding = await linkAsWorker(own, { numberId: one });
  const numbers = async () => (await doctor({ DATABASE_URL: own.url })).of('numbers');
  const missing = { code: 'browser_failed', failure: 'missing' } as const;
  try {
    await writeStatus(own, holding, { status: 'RECONNECTING', cause: missing });
    expect(await numbers()).toMatchObject({
      ok: false,
      todo: `No number can send. 1: ${causeText(missing)}`,
    });
    await writeStatus(own, holding, { status: 'RECONNECTING', cause: { code: 'connection_lost' } });
    expect(await numbers()).toMatchObject({ ok: true });
    await own.sql`update numbers set status_since = clock_timestamp() - interval '3 minutes' where id = ${one}`;
    expect(await numbers()).toMatchObject({ ok: false, todo: expect.stringContaining('was lost') });
    await linkAsWorker(own, { numberId: two });
    expect(await numbers()).toMatchObject({ ok: true });
  } finally {
    await own.drop();
  }
}, 120_000);

test('a browser that says its version and does not start is a problem, and so is a low limit of open files', async () => {
  const broken = path.join(dataDir, 'broken-chromium');
  const words = 'FATAL: no usable shared memory';
  await writeFile(
    broken,
    `#!/bin/sh\ncase "$*" in --version) echo "Chromium 153.0.1.1";; *) echo "${words}" >&2; exit 1;; esac\n`,
    { mode: 0o755 },
  );
  expect((await doctor({ CHROMIUM_PATH: broken })).of('browser')).toMatchObject({
    ok: false,
    todo: expect.stringContaining(words),
  });
  const { stdout } = await runCli(
    ['doctor', '--json'],
    { DATABASE_URL: database.url, DATA_DIR: dataDir },
    'ulimit -n 128; exec "$0" "$@"',
  );
  const { checks } = JSON.parse(stdout) as { checks: Finding[] };
  expect(checks.find(({ check }) => check === 'browser')).toMatchObject({
    ok: false,
    todo: expect.stringMatching(/^At most 128 files may be open here.+ulimit -n, LimitNOFILE/),
  });
}, 120_000);

test('a pinned WhatsApp Web build is found if it is stored, and reported if it is not', async () => {
  const build = async () => (await doctor({ WHATSAPP_BUILD: '2.3000.7' })).of('build');
  expect(await build()).toMatchObject({ ok: false, found: 'WHATSAPP_BUILD=2.3000.7 is not stored' });
  await database.sql`
    insert into page_builds (network, version, first_seen_at, last_seen_at, document)
    values ('whatsapp', '2.3000.7', clock_timestamp(), clock_timestamp(), 'page')`;
  expect(await build()).toMatchObject({ ok: true, found: 'WHATSAPP_BUILD=2.3000.7 is stored' });
  await database.sql`update page_builds set unserved_at = clock_timestamp()`;
  expect(await build()).toMatchObject({ ok: false, found: expect.stringContaining('no longer served') });
  expect((await doctor({})).of('build')).toBeUndefined();
}, 120_000);

test('a transaction that keeps messages out of the search index is named', async () => {
  expect((await doctor({})).of('search')).toBeUndefined();
  await noteSearchWait(database);
  await database.sql`
    update installation set value = (value::timestamptz - interval '12 minutes')::text where key = 'search index waits'`;
  const found = 'no message came into the index for 12 minutes, so searches are slower';
  expect((await doctor({})).of('search')).toMatchObject({
    ok: false,
    found,
    todo: expect.stringContaining('workers’ logs'),
  });
  const forgotten = await reserve(database.pool);
  await forgotten`begin`;
  await forgotten`set local idle_in_transaction_session_timeout = 0`;
  await forgotten`lock table messages in row exclusive mode`;
  const [session] = await forgotten<{ pid: number; user: string }[]>`
    select pg_backend_pid() as pid, current_user as "user"`;
  await expect
    .poll(async () => (await findSearchWait(database))?.writers, { timeout: 10_000 })
    .toHaveLength(1);
  const { code, of } = await doctor({});
  await forgotten`rollback`;
  forgotten.release({ reusable: true });
  await endSearchWait(database);
  expect(code).toBe(1);
  expect(of('search')).toMatchObject({ ok: false, found });
  expect(of('search')?.todo).toMatch(
    new RegExp(
      `open: PID ${session?.pid}, wirebird, user ${session?.user}, since 20[\\d-]+ [\\d:]+ UTC\\. End it`,
    ),
  );
}, 120_000);

test('a full database disk is found on its own volume, not on that of DATA_DIR', async () => {
  await database.sql.unsafe(`
    create function no_space() returns event_trigger language plpgsql as
      $$ begin raise exception 'could not extend file' using errcode = '53100'; end $$;
    create event trigger no_space on ddl_command_end when tag in ('CREATE TABLE') execute function no_space()`);
  try {
    const { healthy, of } = await doctor({});
    expect(healthy).toBe(false);
    expect(of('room')).toMatchObject({
      ok: false,
      found: expect.stringContaining('could not extend file'),
      todo: expect.stringContaining('database’s disk'),
    });
    expect(of('disk')).toMatchObject({ ok: true });
  } finally {
    await database.sql`drop event trigger no_space`;
  }
  const [row] = await database.sql<{ place: string }[]>`
    select setting as place from pg_settings where name = 'data_directory'`;
  const { of } = await doctor({});
  expect(of('room')).toMatchObject({ ok: true, found: expect.stringContaining(`free at ${row?.place}`) });
  expect(of('connections')).toMatchObject({ ok: true, found: expect.stringMatching(/^\d+ of \d+ in use$/) });
}, 120_000);

test('each problem is reported with what to do, and the other checks still run', async () => {
  await database.sql`delete from processes`;
  await database.sql`delete from drizzle.__drizzle_migrations where id = (select max(id) from drizzle.__drizzle_migrations)`;
  const { code, healthy, of } = await doctor({
    SMTP_URL: 'smtp://127.0.0.1:9',
    MAIL_FROM: 'a@wirebird.example',
    CHROMIUM_PATH: '/nowhere/chromium',
  });
  expect({ code, healthy }).toEqual({ code: 1, healthy: false });
  expect(of('disk')).toMatchObject({ ok: true });
  expect(of('migrations')).toMatchObject({ ok: false, todo: expect.stringContaining('npm start') });
  expect(of('mail')).toMatchObject({ ok: false, todo: expect.stringContaining('SMTP_URL') });
  expect(of('browser')).toMatchObject({ ok: false, todo: expect.stringContaining('CHROMIUM_PATH') });

  const { code: sameCode, stdout } = await run({ CHROMIUM_PATH: '/nowhere/chromium', SMPT_URL: 'x' });
  expect(sameCode).toBe(1);
  const lines = stdout.trimEnd().split('\n');
  expect(lines[0]).toBe(
    'warning  Settings: local. SMPT_URL is not a setting and is ignored. Did you mean SMTP_URL?',
  );
  expect(lines).toContainEqual(
    expect.stringMatching(/^problem {2}Migrations: 1 not applied\. Start Wirebird once \("npm start"\)/),
  );
  expect(lines).toContainEqual(
    expect.stringMatching(/^problem {2}Browser: no working browser\. .*CHROMIUM_PATH/),
  );
  // The embedded database of the tests has it off.
  const [server] = await database.sql<{ off: boolean }[]>`select current_setting('fsync') = 'off' as off`;
  const lossy =
    /^warning {2}Database: PostgreSQL .* fsync = off: after a power failure, messages can be lost/;
  expect(lines.filter((line) => lossy.test(line))).toHaveLength(server?.off ? 1 : 0);
  expect(lines.slice(-2)).toEqual(['', `2 problems, ${server?.off ? 3 : 2} warnings.`]);
}, 120_000);

test('the guide’s first settings are valid, and state the needs of the embedded database', () => {
  const given = parseSettings({
    WIREBIRD_ENV: 'production',
    PUBLIC_URL: 'https://wirebird.example.com',
    TRUST_PROXY: 'on',
    AUTH_SECRET: 'x'.repeat(32),
    KEY_PEPPER: 'x'.repeat(32),
    DATA_KEY: 'x'.repeat(32),
  });
  expect(given.databaseUrl).toBeUndefined();
  expect(checkSettings(given)).toMatchObject({ ok: true, found: expect.stringContaining('make backups') });
});

test('settings that conflict are named', () => {
  const given = parseSettings({
    WIREBIRD_ENV: 'production',
    HOST: '0.0.0.0',
    AUTH_SECRET: 'x'.repeat(32),
    KEY_PEPPER: 'x'.repeat(32),
    DATA_KEY: 'x'.repeat(32),
  });
  const { ok, todo } = checkSettings(given);
  expect(ok).toBe(false);
  for (const name of ['PUBLIC_URL', 'TRUST_PROXY']) expect(todo).toContain(name);
});

test('a disk that is short of space is reported with what stops and how much is needed', () => {
  const volume = { path: '/data', uses: ['profiles', 'media'] as const, totalBytes: 10 ** 12 };
  const found = (freeMib: number, freeFiles = 1e6) =>
    findingOf(
      { ...volume, uses: [...volume.uses], freeBytes: freeMib * 1024 ** 2, freeFiles },
      100 * 1024 ** 2,
    );
  expect(found(200)).toEqual({
    check: 'disk',
    ok: true,
    found: '200 MiB free at /data (profiles, media)',
    todo: '',
  });
  expect(found(199)).toMatchObject({
    ok: false,
    todo: 'Make room: 300 MiB should be free. Messages with a file are refused below 200 MiB.',
  });
  expect(found(99)).toMatchObject({
    ok: false,
    found: '99 MiB free at /data (profiles, media)',
    todo: 'Make room: 300 MiB should be free. The numbers on this disk are disconnected, because less than 100 MiB is free. They reconnect automatically when there is space.',
  });
  expect(found(500, 10)).toMatchObject({
    found: '500 MiB free at /data (profiles, media), but only 10 more files fit',
    todo: expect.stringContaining('disconnected, because few more files fit.'),
  });
});

test('a moved installation is reported, with the advice not to start it', async () => {
  const moved = await createTestDatabase();
  const { accountId } = await makeAccount(moved);
  await linkAsWorker(moved, { numberId: await makeNumber(moved, { accountId }) });
  await markMoved({ database: moved });
  const { healthy, of } = await doctor({ DATABASE_URL: moved.url });
  await moved.drop();
  expect(healthy).toBe(false);
  expect(of('workers')).toMatchObject({
    ok: false,
    found: expect.stringContaining('this installation was moved on'),
    todo: expect.stringMatching(/^To continue the move, do nothing here: .*"cli move undo"\.$/),
  });
  // The states of its numbers are those from before the move.
  expect(of('numbers')).toMatchObject({ ok: true, found: 'none run here: this installation was moved' });
}, 120_000);

test('Chromium without its own sandbox is a warning, and no problem', () => {
  const line = (sandboxed: boolean) =>
    findingsLines([browserFinding({ found: 'Chromium 153', sandboxed, ageWeeks: 2 })])[0];
  expect(line(true)).toBe('ok       Browser: Chromium 153, a version of 2 weeks ago.');
  expect(line(false)).toBe(
    'warning  Browser: Chromium 153, a version of 2 weeks ago. Chromium’s own sandbox is off, because Wirebird runs as root. Start Wirebird as an ordinary user.',
  );
});

test('a Chromium older than twelve weeks is a warning that says how to update it', () => {
  const finding = browserFinding({ found: 'bundled 150.0.1.1', sandboxed: true, ageWeeks: 20 });
  expect(finding).toMatchObject({ ok: true });
  expect(findingsLines([finding])[0]).toBe(
    'warning  Browser: bundled 150.0.1.1, a version of 20 weeks ago. This Chromium lacks the security fixes of later versions. Update it with the system, rebuild the image, or update Wirebird for the bundled one.',
  );
});
