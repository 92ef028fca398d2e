import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeAll, expect, test, vi } from 'vitest';
import { type CliRun, cliValue, runCli } from '#server/testing/cli.ts';
import { PASSWORD } from '#server/testing/domain.ts';
import { expectRefusal, tryStart } from '#server/testing/start.ts';

/** What is refused when a part of an installation with data is missing, damaged or from another one. */

// Each start and each command is a separate process, which is slow on a busy machine.
vi.setConfig({ testTimeout: 180_000, hookTimeout: 180_000 });

const place = fs.mkdtempSync(path.join(os.tmpdir(), 'wirebird-earlier-'));
const dataDir = path.join(place, 'data');
const at = (...names: string[]) => path.join(dataDir, ...names);
const aside = path.join(place, 'aside');

const env = {
  DATABASE_URL: undefined,
  DATA_DIR: dataDir,
  AUTH_SECRET: undefined,
  KEY_PEPPER: undefined,
  DATA_KEY: undefined,
};
const start = (settings: Record<string, string> = {}) => tryStart({ ...env, ...settings });
const cli = (...args: string[]) => runCli(args, env);

beforeAll(async () => {
  await cliValue(['account', 'create', '--email', 'ann@example.org', '--password', PASSWORD], env);
});
afterAll(() => fs.rmSync(place, { recursive: true, force: true }));

let putBack = () => {};
afterEach(() => {
  putBack();
  putBack = () => {};
});

/** The account still exists, and the secrets match. */
async function expectUnchanged(): Promise<void> {
  expect(await cliValue<unknown>(['account', 'list'], env)).toMatchObject([{ email: 'ann@example.org' }]);
}

/** Replaces the content of a file until the end of the test. */
function replace(file: string, content: string): void {
  const before = fs.readFileSync(file);
  fs.writeFileSync(file, content);
  putBack = () => fs.writeFileSync(file, before);
}

function moveAway(file: string): void {
  fs.renameSync(file, aside);
  putBack = () => {
    fs.rmSync(file, { recursive: true, force: true });
    fs.renameSync(aside, file);
  };
}

/** The failed check of `doctor` with this name. */
function unwell({ stdout }: CliRun, check: string) {
  const { checks } = JSON.parse(stdout) as { checks: { check: string; ok: boolean; todo: string }[] };
  const found = checks.find((one) => one.check === check);
  expect(found?.ok).toBe(false);
  return found?.todo;
}

test('an unmounted database volume does not count as a new installation: nothing is created and no password is written', async () => {
  moveAway(at('postgres', 'data'));
  fs.mkdirSync(at('postgres', 'data'));
  const password = fs.readFileSync(at('postgres', 'password'), 'utf8');
  const sentence =
    /postgres\/data holds no database, but an earlier installation has left .+postgres\/password.+mount it.+start over on purpose.+cli restore/;
  const run = await start();
  expectRefusal(run, sentence);
  expect(run.output).not.toContain('setup?token=');
  const asked = await cli('account', 'list');
  expect([asked.code, asked.stderr]).toEqual([1, expect.stringMatching(sentence)]);
  expect(unwell(await cli('doctor', '--json'), 'database')).toMatch(sentence);
  expect(fs.readFileSync(at('postgres', 'password'), 'utf8')).toBe(password);
  expect(fs.readdirSync(at('postgres', 'data'))).toEqual([]);
});

test('neither does a missing database directory, including its password', async () => {
  moveAway(at('postgres'));
  expectRefusal(await start(), /postgres\/data holds no database, but .+ has left .+\/secrets\. If/);
});

test('the next start repairs a crash between the new cluster and its password', async () => {
  fs.renameSync(at('postgres', 'password'), at('postgres', 'password.new'));
  await expectUnchanged();
  expect(fs.existsSync(at('postgres', 'password'))).toBe(true);
});

test.each([
  [
    'an empty PG_VERSION',
    ['data', 'PG_VERSION'],
    '',
    /is damaged: its PG_VERSION is empty\. Restore the directory/,
  ],
  [
    'a control file that is no longer whole',
    ['data', 'global', 'pg_control'],
    'half',
    /embedded PostgreSQL does not start: .+pg_control.+ restore it from a copy made while Wirebird was stopped, .+"cli restore"/,
  ],
  [
    'another password',
    ['password'],
    'guessed\n',
    /embedded database in .+ rejects the password in .+postgres\/password\. Restore that file/,
  ],
])('%s of the embedded database is reported as such', async (_what, file, content, line) => {
  replace(at('postgres', ...file), content);
  const run = await start();
  expectRefusal(run, line);
  expect(run.errors).not.toContain('DATABASE_URL');
});

test('an embedded database with missing files is reported as damaged, not unreachable', async () => {
  moveAway(at('postgres', 'data', 'base', '5'));
  const run = await start();
  expectRefusal(run, /embedded database in .+ is damaged \(.+\)\. Read .+ "cli restore"/);
  expect(run.errors).not.toContain('DATABASE_URL');
});

test('a different KEY_PEPPER is refused by every kind of start, by the command line and by doctor', async () => {
  const other = { KEY_PEPPER: 'another pepper '.repeat(4) };
  const sentence =
    /KEY_PEPPER differs from the value that this database was created with\. Set the earlier value.+"cli secrets accept"\. Then every API key becomes invalid\./;
  expectRefusal(await start(other), sentence);
  expectRefusal(await tryStart({ ...env, ...other }, '--demo'), sentence);
  const asked = await runCli(['account', 'list'], { ...env, ...other });
  expect([asked.code, asked.stderr]).toEqual([1, expect.stringMatching(sentence)]);
  expect(unwell(await runCli(['doctor', '--json'], { ...env, ...other }), 'secrets')).toMatch(sentence);
});

test('a missing secret next to data is refused, not replaced, until the operator asks for a new one', async () => {
  // The refusals above changed nothing. This is checked first, because the accepted change below would hide it.
  await expectUnchanged();
  const file = at('secrets', 'dataKey');
  const before = fs.readFileSync(file);
  fs.rmSync(file);
  const sentence =
    /DATA_KEY is not set and not in DATA_DIR\/secrets, but this database needs the earlier value\. .+"cli secrets accept"\. Then second factors/;
  expectRefusal(await start(), sentence);
  expect(unwell(await cli('doctor', '--json'), 'secrets')).toMatch(sentence);
  expect((await cli('account', 'list')).stderr).toMatch(sentence);
  expect(fs.existsSync(file)).toBe(false);

  const print = expect.stringMatching(/^[0-9a-f]{16}$/);
  expect(await cliValue<unknown>(['secrets', 'accept'], env)).toEqual({
    fingerprints: { AUTH_SECRET: print, KEY_PEPPER: print, DATA_KEY: print },
  });
  expect(fs.readFileSync(file, 'utf8')).not.toBe(before.toString());
  await expectUnchanged();
});

test('a lost database is restored from a backup, next to the rest of the installation', async () => {
  const file = path.join(place, 'before.backup');
  await cliValue(['backup', file, '--json'], env);
  fs.rmSync(at('postgres'), { recursive: true });
  expect((await cli('account', 'list')).stderr).toMatch(
    /To restore a backup in its place, run "cli restore"\./,
  );
  expect(await cliValue(['restore', file, '--json'], env)).toMatchObject({ otherSecrets: [] });
  await expectUnchanged();
});
