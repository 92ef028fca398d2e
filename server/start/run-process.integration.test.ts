import { type ChildProcess, spawn } from 'node:child_process';
import fs from 'node:fs';
import net from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { nodePath } from '#server/platform/process/node.ts';
import { createTestDatabase } from '#server/testing/database.ts';
import { lendBrowser } from '#worker/testing/engine-browser.ts';
import { childEnvironment } from '../settings.ts';

/** Web and worker as separate processes, as on several machines. */

// The first start may have to build.
vi.setConfig({ testTimeout: 300_000 });

const MAIN = path.join(import.meta.dirname, 'main.ts');

let database: Awaited<ReturnType<typeof createTestDatabase>>;
let place: string;
const started: ChildProcess[] = [];
beforeAll(async () => {
  database = await createTestDatabase();
  place = fs.mkdtempSync(path.join(os.tmpdir(), 'wirebird-fleet-'));
  await lendBrowser(path.join(place, 'worker'));
});
afterAll(async () => {
  for (const child of started) child.kill('SIGKILL');
  await database.drop();
  fs.rmSync(place, { recursive: true, force: true });
});

function start(part: string, env: Record<string, string | undefined> = {}) {
  const child = spawn(nodePath, [MAIN, '--only', part], {
    env: childEnvironment({
      DATABASE_URL: database.url,
      DATA_DIR: path.join(place, part),
      WIREBIRD_ENV: 'production',
      LOG_LEVEL: 'info',
      ...env,
    }),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  started.push(child);
  const run = { child, output: '', ended: new Promise((resolve) => child.once('exit', resolve)) };
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      run.output += chunk;
    });
  return run;
}

const freePort = () =>
  new Promise<number>((resolve) => {
    const server = net.createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address() as net.AddressInfo;
      server.close(() => resolve(port));
    });
  });

test('a web and a worker process on one database become ready together, and each stops cleanly', async () => {
  const port = String(await freePort());
  const [web, worker] = [start('web', { PORT: port, STOP_NOTICE_SECONDS: '2' }), start('worker')];
  const ready = async () => (await fetch(`http://127.0.0.1:${port}/readyz`)).status;
  await vi.waitFor(async () => expect(await ready(), web.output + worker.output).toBe(200), {
    timeout: 280_000,
    interval: 100,
  });
  const [known] = await database.sql`select volume_id as "volumeId" from processes where kind = 'worker'`;
  expect(known?.volumeId).toBe(
    fs.readFileSync(path.join(place, 'worker', 'profiles', 'volume-id'), 'utf8').trim(),
  );

  const other = start('worker', { DATA_DIR: path.join(place, 'other'), DATA_KEY: 'another key '.repeat(4) });
  expect(await other.ended).toBe(1);
  expect(other.output).toContain('DATA_KEY differs from the value that this database was created with.');
  const second = start('worker');
  expect(await second.ended).toBe(1);
  expect(second.output).toContain('is already running on');

  for (const { child } of [web, worker]) child.kill('SIGTERM');
  const answer = async (target: string) => (await fetch(`http://127.0.0.1:${port}${target}`)).status;
  await vi.waitFor(async () => expect(await answer('/healthz')).toBe(503), { interval: 20 });
  expect(await answer('/v1/status'), 'requests are answered while the proxy notices').toBe(401);
  expect(await Promise.all([web.ended, worker.ended])).toEqual([0, 0]);
  expect(fs.existsSync(path.join(place, 'worker', 'start.lock'))).toBe(false);
  expect(await database.sql`select 1 from processes`).toEqual([]);
});

test('a separate sandbox starts where one is configured', async () => {
  const sandbox = start('sandbox');
  expect(await sandbox.ended).toBe(1);
  expect(sandbox.output).toContain('The sandbox is switched off. Set SANDBOX=on');
});

test('without DATABASE_URL a separate process says what to do', async () => {
  const lone = start('web', { DATABASE_URL: undefined });
  expect(await lone.ended).toBe(1);
  expect(lone.output).toContain('DATABASE_URL is not set.');
});
