import { existsSync } from 'node:fs';
import { mkdtemp, readdir, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { ensurePostgres } from '#server/platform/embedded/postgres.ts';
import { embeddedPlace } from '#server/start/database.ts';
import { cliValue, runCli } from '#server/testing/cli.ts';
import { freshEmail, PASSWORD } from '#server/testing/domain.ts';

// Each command runs as a separate process, which takes time on a busy machine.
vi.setConfig({ testTimeout: 180_000 });

let dataDir: string;
beforeEach(async () => {
  dataDir = await mkdtemp(path.join(os.tmpdir(), 'wirebird-cli-'));
});
afterEach(() => rm(dataDir, { recursive: true, force: true }));

const env = () => ({
  DATABASE_URL: undefined,
  DATA_DIR: dataDir,
  KEY_PEPPER: undefined,
  DATA_KEY: undefined,
  AUTH_SECRET: undefined,
});

test('without DATABASE_URL the command line starts the embedded database, and leaves nothing running', async () => {
  const email = freshEmail();
  const { account } = await cliValue(['account', 'create', '--email', email, '--password', PASSWORD], env());
  const { instance } = await cliValue(['number', 'add', '--email', email, '--network', 'sandbox'], env());
  const { key } = await cliValue(['key', 'create', '--instance', String(instance)], env());
  expect(key).toMatch(/^wsk_test_/);
  expect(existsSync(path.join(dataDir, 'secrets', 'keyPepper'))).toBe(true);
  expect(await cliValue(['account', 'list'], env())).toMatchObject([{ account, email, numbers: 1 }]);
  // If the command had left its server running, this would join it.
  const server = await ensurePostgres(embeddedPlace(dataDir));
  await server.release();
  expect(server.started).toBe(true);
});

test('it joins the embedded database of a running product and leaves it running', async () => {
  const server = await ensurePostgres(embeddedPlace(dataDir));
  try {
    const email = freshEmail();
    await cliValue(['account', 'create', '--email', email, '--password', PASSWORD], env());
    const again = await ensurePostgres(embeddedPlace(dataDir));
    await again.release();
    expect([again.started, again.pid]).toEqual([false, server.pid]);
  } finally {
    await server.release();
  }
});

test('a command creates no installation in a mistyped DATA_DIR, and a backup of nothing is an error', async () => {
  const mistyped = path.join(dataDir, 'mistyped');
  const run = (...args: string[]) => runCli(args, { ...env(), DATA_DIR: mistyped });
  for (const args of [
    ['account', 'list'],
    ['backup', path.join(dataDir, 'backup')],
    ['move', 'preview'],
    ['number', 'add', '--email', freshEmail(), '--network', 'sandbox'],
    ['secrets', 'accept'],
    ['data-dir', 'accept'],
  ])
    expect(await run(...args), args.join(' ')).toEqual({
      ...{ code: 1, stdout: '' },
      stderr: `There is no installation in ${mistyped}, and this command makes none. Correct DATA_DIR. A new installation is made by the first start, by "cli account create" and by "cli restore".\n`,
    });
  const { code, stdout } = await run('doctor');
  expect(code).toBe(1);
  expect(stdout).toMatch(/^problem {2}Database: cannot be used\. There is no installation in .+\/mistyped,/m);
  expect(stdout).toMatch(/^problem {2}Disk: .+\/mistyped does not exist\. Correct DATA_DIR, or start/m);
  expect(await readdir(dataDir)).toEqual([]);
});
