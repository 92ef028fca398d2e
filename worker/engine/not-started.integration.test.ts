import fs from 'node:fs/promises';
import path from 'node:path';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
import type { BrowserFailure, Cause } from '#server/core/number/cause.ts';
import { startCause } from '#worker/numbers/start-cause.ts';
import { type TemporaryEngine, temporaryEngine } from '#worker/testing/engine.ts';
import { handleSpawnError } from './library-errors.ts';

/** Why a session did not start, for each way in which its browser or WhatsApp's page can fail. */

const failed = (failure: BrowserFailure): Cause => ({ code: 'browser_failed', failure });

let engine: TemporaryEngine;
let executablePath: string;
beforeAll(async () => {
  engine = await temporaryEngine();
  executablePath = engine.browser.executablePath;
});
afterAll(() => engine[Symbol.asyncDispose]());

/** The cause of a start with another executable in the place of the browser. */
async function causeWith(executable: string, startMs?: number): Promise<Cause> {
  engine.browser.executablePath = executable;
  const others = process.listeners('uncaughtException');
  process.removeAllListeners('uncaughtException');
  process.on('uncaughtException', (error) => {
    if (!handleSpawnError(error)) throw error;
  });
  try {
    const one = engine.open(`num_${path.basename(executable)}`, startMs === undefined ? {} : { startMs });
    const error: unknown = await one.session.start().catch((thrown) => thrown);
    expect(engine.processes()).toEqual([]);
    return startCause(error);
  } finally {
    engine.browser.executablePath = executablePath;
    process.removeAllListeners('uncaughtException');
    for (const listener of others) process.on('uncaughtException', listener);
  }
}

async function script(name: string, lines: string, mode = 0o755): Promise<string> {
  const file = path.join(engine.dataDir, name);
  await fs.writeFile(file, lines, { mode });
  onTestFinished(() => fs.rm(file));
  return file;
}

test('a browser that is missing, not executable or lacks a library is named as such, and ends no other session', async () => {
  expect(await causeWith('/nowhere/chromium')).toEqual(failed('missing'));
  expect(await causeWith(await script('not-executable', 'x', 0o600))).toEqual(failed('missing'));
  const lacks = '#!/bin/sh\necho "error while loading shared libraries: libnss3.so" >&2\nexit 127\n';
  expect(await causeWith(await script('lacks-a-library', lacks))).toEqual(failed('missing'));
});

test('a browser that ends or hangs before it has a page is not called a lost connection', async () => {
  expect(await causeWith(await script('ends', '#!/bin/sh\nexit 1\n'))).toEqual(failed('unknown'));
  expect(await causeWith(await script('hangs', '#!/bin/sh\nexec sleep 60\n'), 500)).toEqual(
    failed('unknown'),
  );
});

test('a limit of open files that stops browsers is named', async () => {
  const error = '#!/bin/sh\necho "FATAL: socketpair: Too many open files (24)" >&2\nexit 133\n';
  expect(await causeWith(await script('says-so', error))).toEqual(failed('openFiles'));
});

test('a page that cannot be reached or does not load in time is named as such', async () => {
  const args = engine.networkArgs.splice(
    0,
    engine.networkArgs.length,
    '--host-resolver-rules=MAP * 127.0.0.1:9',
  );
  const away = engine.open('num_away');
  const error: unknown = await away.session.start().catch((thrown) => thrown);
  engine.networkArgs.splice(0, 1, ...args);
  expect(startCause(error)).toEqual({ code: 'site_unreachable' });

  await engine.control.configure({ outage: 'hang' });
  const slow = engine.open('num_slow', { startMs: 1_000 });
  expect(startCause(await slow.session.start().catch((thrown) => thrown))).toEqual({ code: 'load_timeout' });
});
