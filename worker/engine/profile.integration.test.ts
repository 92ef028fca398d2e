import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import readline from 'node:readline';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { log } from '#server/platform/log.ts';
import { nodePath } from '#server/platform/process/node.ts';
import { type TemporaryEngine, temporaryEngine } from '#worker/testing/engine.ts';
import type { Page, PageBrowser } from './library.ts';
import { clearStaleLocks, killProfileBrowsers, processesOf, profilePath, userDataDir } from './profile.ts';
import { SessionBrowser } from './session-browser.ts';

let engine: TemporaryEngine;
beforeAll(async () => {
  engine = await temporaryEngine();
});
afterAll(() => engine[Symbol.asyncDispose]());

/** Starts a browser that no worker controls by a pipe, so it keeps running as after its worker's end. */
async function leftover(numberId: string): Promise<string> {
  const profileDir = profilePath(engine.dataDir, numberId);
  await fs.mkdir(profileDir, { recursive: true });
  const { executablePath, args, env } = engine.browser;
  const all = [
    ...args,
    '--headless',
    '--remote-debugging-port=0',
    `--user-data-dir=${userDataDir(profileDir)}`,
  ];
  const child = spawn(executablePath, all, {
    env: env as NodeJS.ProcessEnv,
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  await once(readline.createInterface({ input: child.stderr }), 'line'); // the browser prints where it listens
  child.stderr.destroy();
  return profileDir;
}

test('a sweep kills the browser left on a profile, with all its processes, and no other', async () => {
  const mine = await leftover('num_1');
  const other = await leftover('num_10');
  try {
    expect(processesOf(mine).length).toBeGreaterThan(2);
    const others = processesOf(other).map(({ pid }) => pid);
    expect(others.length).toBeGreaterThan(2);
    expect(await killProfileBrowsers(mine)).toBeGreaterThan(2);
    expect(processesOf(mine)).toEqual([]);
    expect(processesOf(other).map(({ pid }) => pid)).toEqual(expect.arrayContaining(others));
    expect(await killProfileBrowsers(mine)).toBe(0);
  } finally {
    await killProfileBrowsers(other);
  }
});

test('no browser outlives its worker, in whatever way the worker ends', async () => {
  const profileDir = profilePath(engine.dataDir, 'num_worker');
  const script = path.join(import.meta.dirname, '../testing/engine-worker.ts');
  const start = (): { child: ChildProcess; line(begin: string): Promise<string> } => {
    const child = spawn(nodePath, [script, engine.dataDir, profileDir, JSON.stringify(engine.networkArgs)], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const lines = readline.createInterface({ input: child.stdout as NonNullable<typeof child.stdout> });
    return {
      child,
      async line(begin) {
        for await (const line of lines) if (line.startsWith(begin)) return line.slice(begin.length);
        throw new Error(`the worker ended without "${begin}"`);
      },
    };
  };
  const first = start();
  const second = { child: null as ChildProcess | null };
  try {
    const qr = await first.line('qr ');
    await engine.control.scan({ phone: '491700000031', qr });
    await expect.poll(async () => (await engine.control.phone({ phone: '491700000031' })).connected).toBe(1);
    first.child.kill('SIGKILL');
    await expect.poll(() => processesOf(profileDir), { timeout: 20_000 }).toEqual([]);

    // The broken pipe closed the browser cleanly, so the new link was saved.
    const again = start();
    second.child = again.child;
    await again.line('ready');
  } finally {
    first.child.kill('SIGKILL');
    second.child?.kill('SIGKILL');
  }
  await expect.poll(() => processesOf(profileDir), { timeout: 20_000 }).toEqual([]);
});

test('locks left by a killed browser, on this host or another, do not block the next one', async () => {
  const first = await engine.link('num_locked', '491700000032');
  await first.session.stop();
  for (const owner of ['another-host-4242', `${os.hostname()}-999999`]) {
    for (const name of ['SingletonLock', 'SingletonCookie', 'SingletonSocket']) {
      await fs.symlink(owner, path.join(userDataDir(first.profileDir), name));
    }
    await clearStaleLocks(first.profileDir);
    const names = await fs.readdir(userDataDir(first.profileDir));
    expect(names.filter((name) => name.startsWith('Singleton'))).toEqual([]);
    const next = engine.open('num_locked');
    await next.session.start();
    await next.events.untilState('ready');
    await next.session.stop();
  }
});

test('a session that lost its profile ends its own browser and leaves the next one alone', async () => {
  const next = await engine.link('num_passed_on', '491700000033');
  const own = spawn('sleep', ['600'], { detached: true, stdio: 'ignore' });
  const ended = once(own, 'exit');
  const stale = new SessionBrowser(next.profileDir, log);
  const handle = { process: () => own, once: () => {}, on: () => {} };
  stale.attach(handle as unknown as PageBrowser, handle as unknown as Page, { lost() {}, navigated() {} });
  await stale.end(null, Promise.resolve(), 1000);
  await ended;
  expect(await next.session.probe()).toBe(true);
  await next.session.stop();
});

test('a browser that is already closing is killed in time when its number must be left', async () => {
  const { session, profileDir } = await engine.link('num_abandoned', '491700000034');
  for (const { pid } of processesOf(profileDir)) process.kill(pid, 'SIGSTOP');
  const closing = session.stop();
  const began = performance.now();
  await session.stop({ withinMs: 200 });
  expect(performance.now() - began).toBeLessThan(5_000);
  expect(processesOf(profileDir)).toEqual([]);
  await closing;
});

test('a profile is never created outside its directory', () => {
  expect(profilePath('/data', 'num_1')).toBe(path.resolve('/data/profiles/num_1'));
  for (const id of ['../num_1', 'a/b', '', '.'])
    expect(() => profilePath('/data', id)).toThrow('not a number');
});

test('a session that a newer browser stored is not opened, and nothing of it changes', async () => {
  const { session, profileDir } = await engine.link('num_newer', '491700000061');
  await session.stop();
  const file = path.join(userDataDir(profileDir), 'Last Version');
  expect(await fs.readFile(file, 'utf8')).toBe(engine.browser.version);
  await fs.writeFile(file, '999.0.1.1');
  const older = engine.open('num_newer');
  await expect(older.session.start()).rejects.toThrow('Install Chromium 999 or newer');
  expect(processesOf(profileDir)).toEqual([]);
  await fs.writeFile(file, engine.browser.version ?? '');
  const again = engine.open('num_newer');
  await again.session.start();
  await again.events.untilState('ready');
  await again.session.stop();
});
