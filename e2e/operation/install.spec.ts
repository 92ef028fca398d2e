import { execFile, spawn } from 'node:child_process';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'playwright/test';
import { childEnvironment } from '#server/settings.ts';
import { processTable } from '#worker/engine/process-table.ts';
import { freePort } from '../stack.ts';

const ROOT = path.join(import.meta.dirname, '../..');
const run = promisify(execFile);

/** The environment of a machine that has Node and nothing of ours on its path. */
function plainEnvironment(more: Record<string, string>) {
  const env = childEnvironment({ NODE_ENV: 'production', PUPPETEER_SKIP_DOWNLOAD: '1', ...more });
  const ours = path.join('node_modules', '.bin');
  const names = Object.keys(env).filter((name) => name.startsWith('npm_'));
  for (const name of names) delete env[name];
  return {
    ...env,
    PATH: (env.PATH ?? '')
      .split(path.delimiter)
      .filter((place) => !place.endsWith(ours))
      .join(path.delimiter),
  };
}

test('a production install of our own files starts, serves and stops', async () => {
  test.setTimeout(600_000);
  const place = await mkdtemp(path.join(os.tmpdir(), 'wirebird-install-'));
  const port = await freePort();
  const env = plainEnvironment({ PORT: String(port), DATA_DIR: path.join(place, 'data') });
  const { stdout } = await run('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: ROOT,
  });
  for (const file of stdout.split('\0').filter(Boolean)) {
    await cp(path.join(ROOT, file), path.join(place, file)).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error; // deleted, not committed yet
    });
  }
  await run('npm', ['ci', '--prefer-offline', '--no-audit', '--no-fund'], {
    cwd: place,
    env,
    maxBuffer: 16 * 2 ** 20,
  });

  const product = spawn('npm', ['start'], { cwd: place, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [product.stdout, product.stderr]) {
    stream.on('data', (chunk) => {
      output += chunk;
    });
  }
  const exited = new Promise<void>((resolve) => product.once('exit', () => resolve()));
  const printed = () => (product.exitCode === null ? output : `it ended: ${output}`);
  await expect.poll(printed, { timeout: 480_000 }).toMatch(/Ready after .+ http:\/\/localhost:\d+|^it ended/);
  expect(printed()).not.toMatch(/^it ended/);
  const ready = await fetch(`http://127.0.0.1:${port}/readyz`);
  expect(ready.status).toBe(200);

  product.kill('SIGTERM');
  await exited;
  // npm ends before the product that it started.
  const left = () => processTable().filter(({ command }) => command.includes(place));
  await expect.poll(left, { timeout: 15_000 }).toEqual([]);
  await rm(place, { recursive: true, force: true });
});
