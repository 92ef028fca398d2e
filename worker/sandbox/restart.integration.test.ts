import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { Client } from 'whatsapp-web.js';
import wweb from 'whatsapp-web.js';
import { sandboxClient } from '#server/sandbox/client.ts';
import { controlFilePath, readControlFile } from '#server/sandbox/control-file.ts';
import { childEnvironment } from '#server/settings.ts';
import { eventually, LIBRARYS_PAGE, temporaryDirectory } from '#worker/testing/sandbox.ts';
import { bringUp, closeClient, createClient, next } from '#worker/testing/sandbox-client.ts';
import { chromiumArgs } from './chromium-args.ts';

const ME = '491700000001';
const BOB = '491700000002';
const MAIN = path.join(import.meta.dirname, 'main.ts');

let dataDir: string;
let client: Client | undefined;
const started: ChildProcess[] = [];
beforeEach(() => {
  dataDir = temporaryDirectory();
});
afterEach(async () => {
  if (client) await closeClient(client);
  client = undefined;
  for (const child of started.splice(0)) {
    if (child.exitCode !== null || child.signalCode !== null) continue;
    child.kill('SIGKILL');
    await once(child, 'exit');
  }
  fs.rmSync(dataDir, { recursive: true, force: true });
});

const run = (args: string[]) => {
  const env = childEnvironment({ DATA_DIR: dataDir, LOG_LEVEL: 'warn' });
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'ignore', 'pipe'] });
  started.push(child);
  return child;
};
const isUp = async (pid: number | undefined) => {
  const file = readControlFile(dataDir);
  if (pid !== undefined && file.pid !== pid) throw new Error('not this one');
  await sandboxClient(dataDir).phones();
  return file;
};
const start = async () => {
  const child = run([MAIN]);
  await eventually(() => isUp(child.pid));
  return child;
};
const isAlive = (pid: number) => {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
};

test('a killed sandbox that starts again has lost nothing: the page reconnects to it and sends', async () => {
  const control = sandboxClient(dataDir);
  const first = await start();
  await control.configure(LIBRARYS_PAGE);
  const page = createClient(chromiumArgs(readControlFile(dataDir)), path.join(dataDir, 'profiles'));
  client = page;
  const send = (content: string | wweb.MessageMedia) =>
    page.sendMessage(`${BOB}@c.us`, content, { sendSeen: false, linkPreview: false, waitUntilMsgSent: true });
  await control.setDelivery({ phone: ME, deliveredMs: 10, readMs: 20 });
  await bringUp({ control }, page, ME);
  await page.getNumberId(BOB);
  await send('before the kill');
  await send(wweb.MessageMedia.fromFilePath(path.join(import.meta.dirname, 'samples', 'card.png')));
  await eventually(async () =>
    expect((await control.inbox({ phone: ME })).map(({ ack }) => ack)).toEqual([3, 3]),
  );
  const before = await control.inbox({ phone: ME });

  const cutOff = next(page, 'change_state');
  first.kill('SIGKILL');
  expect(await cutOff).toEqual(['OPENING']);
  const waiting = send('sent while it was dead');
  await start();
  await eventually(async () => expect(await page.getState()).toBe('CONNECTED'));
  await waiting;

  const after = await control.inbox({ phone: ME });
  expect(after.slice(0, 2)).toEqual(before);
  expect(after.map(({ body }) => body)).toEqual(['before the kill', undefined, 'sent while it was dead']);
  expect(await control.phone({ phone: ME })).toMatchObject({
    devices: 1,
    connected: 1,
    delivered: 3,
    repeats: 0,
  });
  const [, picture] = after;
  expect((await control.media(picture?.sha256 ?? '')).length).toBe(picture?.bytes);
});

test.each(['SIGTERM', 'SIGINT'] as const)('%s stops it cleanly within two seconds', async (signal) => {
  const child = await start();
  const begun = performance.now();
  child.kill(signal);
  expect(await once(child, 'exit')).toEqual([0, null]);
  expect(performance.now() - begun).toBeLessThan(2000);
  expect(fs.existsSync(controlFilePath(dataDir))).toBe(false);
});

test('a second sandbox on the same directory says so and leaves the first alone', async () => {
  const child = await start();
  const second = run([MAIN]);
  let said = '';
  second.stderr?.on('data', (data) => {
    said += data;
  });
  expect((await once(second, 'close'))[0]).toBe(1);
  expect(said).toContain(`A sandbox (process ${child.pid}) already runs on`);
  expect((await isUp(child.pid)).pid).toBe(child.pid);
});

test('it ends when its supervisor was killed', async () => {
  const code = `require('node:child_process').spawn(process.execPath, [${JSON.stringify(MAIN)}], { stdio: 'ignore' }); setInterval(() => {}, 1000)`;
  const supervisor = run(['-e', code]);
  const { pid } = await eventually(() => isUp(undefined));
  supervisor.kill('SIGKILL');
  await eventually(() => expect(isAlive(pid)).toBe(false));
  expect(fs.existsSync(controlFilePath(dataDir))).toBe(false);
});
