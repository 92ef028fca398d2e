/**
 * `npm run try:install`: checks that a production install of our own files starts, serves and stops. Uses a copy
 * of them; with `--here` this checkout, as in CI, where it has no other files and no development packages.
 */
import assert from 'node:assert/strict';
import { execFile, spawn } from 'node:child_process';
import { cp, mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import { childEnvironment } from '#server/settings.ts';
import { processTable } from '#worker/engine/process-table.ts';

const ROOT = path.join(import.meta.dirname, '..');
const READY_LIMIT_MS = 480_000; // it builds
const STOP_LIMIT_MS = 15_000;
const run = promisify(execFile);

/** The environment of a machine that has only Node. */
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

/** Our own files, copied and installed. */
async function installIn(place: string, env: NodeJS.ProcessEnv): Promise<void> {
  const listed = await run('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'], {
    cwd: ROOT,
    maxBuffer: 16 * 2 ** 20,
  });
  for (const file of listed.stdout.split('\0').filter(Boolean)) {
    await cp(path.join(ROOT, file), path.join(place, file)).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT') throw error; // deleted, not committed yet
    });
  }
  const options = { cwd: place, env, maxBuffer: 16 * 2 ** 20 };
  await run('npm', ['ci', '--prefer-offline', '--no-audit', '--no-fund'], options);
}

async function tryInstall(place: string, env: NodeJS.ProcessEnv): Promise<void> {
  const before = new Set(processTable().map(({ pid }) => pid));
  const product = spawn('npm', ['start'], { cwd: place, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [product.stdout, product.stderr]) {
    stream.on('data', (chunk) => {
      output += chunk;
    });
  }
  const exited = new Promise<void>((resolve) => product.once('exit', () => resolve()));
  const address = () => /Ready after .+ (http:\/\/localhost:\d+)/.exec(output)?.[1];
  await until(READY_LIMIT_MS, () => {
    assert.equal(product.exitCode, null, `it ended:\n${output}`);
    return address() !== undefined;
  });
  const ready = await fetch(`${address()}/readyz`);
  assert.equal(ready.status, 200);

  product.kill('SIGTERM');
  await exited;
  // npm ends before the product that it started.
  await until(STOP_LIMIT_MS, () =>
    processTable().every(({ pid, command }) => before.has(pid) || !command.includes(place)),
  );
}

async function until(limitMs: number, holds: () => boolean): Promise<void> {
  const end = performance.now() + limitMs;
  while (!holds()) {
    assert.ok(performance.now() < end, `not within ${limitMs / 1000} s: ${holds}`);
    await delay(100);
  }
}

const own = await mkdtemp(path.join(os.tmpdir(), 'wirebird-install-'));
const here = process.argv.includes('--here');
const env = plainEnvironment({ PORT: '0', DATA_DIR: path.join(own, 'data') });
if (!here) await installIn(own, env);
await tryInstall(here ? ROOT : own, env);
await rm(own, { recursive: true, force: true });
console.log('A production install starts, serves and stops.');
