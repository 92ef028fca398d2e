import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, afterEach, beforeEach, expect, test, vi } from 'vitest';
import { isRunning } from '#server/platform/process/identity.ts';
import { nodePath } from '#server/platform/process/node.ts';
import { childEnvironment } from '../settings.ts';
import { ManagedProcess } from './managed-process.ts';
import { StartError } from './start-error.ts';

const place = fs.mkdtempSync(path.join(os.tmpdir(), 'wirebird-part-'));
afterAll(() => fs.rmSync(place, { recursive: true, force: true }));

let processes: ManagedProcess[] = [];
let troubles: string[] = [];
let pids: number[] = [];
beforeEach(() => {
  [processes, troubles, pids] = [[], [], []];
  // The supervisor prints problems of a process for the operator.
  vi.spyOn(console, 'error').mockImplementation(() => {});
});
afterEach(async () => {
  for (const one of processes) await one.stop(1_000);
  vi.restoreAllMocks();
});

const runFile = (name: string) => path.join(place, name);

function makeProcess(
  name: string,
  script: string,
  { runDir = place, env = {} }: { runDir?: string; env?: Record<string, string> } = {},
): ManagedProcess {
  const entry = path.join(place, `${name}.mjs`);
  fs.writeFileSync(entry, script);
  const part = new ManagedProcess(
    { name, entry, env: childEnvironment(env), youngMegabytes: 1 },
    {
      runDir,
      logDir: place,
      verbose: false,
      onStarted: (pid) => pids.push(pid),
      onTrouble: (what) => troubles.push(what),
    },
  );
  processes.push(part);
  return part;
}

const STAYS = 'setInterval(() => {}, 1000);';
const READY = `process.send('ready'); ${STAYS}`;

test('a process counts as started when it reports ready, is found by its file while it runs, and is gone after stop', async () => {
  const part = makeProcess('plain', READY);
  expect(await part.start()).toBe(true);
  const identity = fs.readFileSync(runFile('plain'), 'utf8');
  expect(isRunning(identity)).toBe(true);
  await part.stop(1_000);
  expect(isRunning(identity)).toBe(false);
  expect(fs.existsSync(runFile('plain'))).toBe(false);
});

test('a process that exits before it is ready fails the start with its own reason', async () => {
  const logged = JSON.stringify({
    level: 'fatal',
    msg: 'the worker did not start',
    err: { message: 'no browser' },
  });
  const part = makeProcess('fails', `console.error(${JSON.stringify(logged)}); process.exit(1);`);
  const failed = part.start();
  await expect(failed).rejects.toThrow(StartError);
  await expect(failed).rejects.toThrow('fails failed to start: the worker did not start: no browser');
  const thrown = makeProcess('throws', 'await null; throw new TypeError("not a function");');
  await expect(thrown.start()).rejects.toThrow('throws failed to start: TypeError: not a function');
  const mute = makeProcess('mute', 'process.exit(3);');
  await expect(mute.start()).rejects.toThrow('mute failed to start: it exited with code 3');
});

test('a process that crashes later is restarted, and its last output is in its log', async () => {
  const part = makeProcess('crashes', `console.error('about to crash'); ${READY}`);
  await part.start();
  part.kill();
  await vi.waitFor(() => expect(pids).toHaveLength(2), { timeout: 30_000, interval: 20 });
  expect(troubles).toEqual([
    'it was killed by SIGKILL, probably because memory ran out; restarting in 0.5 s',
  ]);
  expect(fs.readFileSync(path.join(place, 'crashes.log'), 'utf8')).toContain('"msg":"about to crash"');
});

test('a process that runs out of memory says so', async () => {
  const part = makeProcess(
    'hungry',
    `const kept = [];
     process.on('SIGUSR2', () => { for (;;) kept.push(Array(10_000).fill(kept.length)); });
     ${READY}`,
    { env: { NODE_OPTIONS: '--max-old-space-size=32' } },
  );
  await part.start();
  process.kill(pids[0] ?? 0, 'SIGUSR2');
  await vi.waitFor(() => expect(pids).toHaveLength(2), { timeout: 30_000, interval: 20 });
  expect(troubles).toEqual([
    'it ran out of memory (JavaScript heap out of memory). Add memory, or raise its limit with NODE_OPTIONS=--max-old-space-size=MEGABYTES; restarting in 0.5 s',
  ]);
});

test('a process that crashes is restarted even if no file can be written, as on a full disk', async () => {
  const runDir = fs.mkdtempSync(path.join(place, 'run-'));
  const part = makeProcess('unwritten', READY, { runDir });
  await part.start();
  fs.rmSync(runDir, { recursive: true });
  const push = vi.spyOn(pids, 'push').mockImplementation(() => {
    throw new Error('no file takes the user of the database');
  });
  part.kill();
  await vi.waitFor(() => expect(push).toHaveBeenCalledTimes(1), { timeout: 30_000, interval: 20 });
  push.mockRestore();
  expect(troubles.slice(1)).toEqual([
    expect.stringMatching(/^runs, but a file about it could not be written: ENOENT.+unwritten/),
    'runs, but a file about it could not be written: no file takes the user of the database',
  ]);
  part.kill();
  await vi.waitFor(() => expect(pids).toHaveLength(2), { timeout: 30_000, interval: 20 });
});

test('a process whose code has changed is restarted at once, without an error', async () => {
  const part = makeProcess('changed', READY);
  await part.start();
  part.restart();
  await vi.waitFor(() => expect(pids).toHaveLength(2), { timeout: 30_000, interval: 20 });
  expect(troubles).toEqual([]);
});

test('a process that ignores the request to stop is killed', async () => {
  const part = makeProcess('stubborn', `process.on('SIGTERM', () => {}); ${READY}`);
  await part.start();
  const identity = fs.readFileSync(runFile('stubborn'), 'utf8');
  await part.stop(100);
  expect(troubles).toEqual(['did not stop within 0.1 s and was killed']);
  expect(isRunning(identity)).toBe(false);
});

test('a stopped process is not restarted', async () => {
  const part = makeProcess('stopped', READY);
  await part.stop(1_000);
  expect(await part.start()).toBe(false);
  expect(pids).toEqual([]);
});

/** A supervisor in its own process, with one process that runs `script`. Resolves when that one has started. */
async function startSupervisor(name: string, script: string) {
  const entry = runFile(`${name}.mjs`);
  fs.writeFileSync(entry, script);
  const supervisor = spawn(
    nodePath,
    [
      '--input-type=module-typescript',
      '-e',
      `import { ManagedProcess } from ${JSON.stringify(path.join(import.meta.dirname, 'managed-process.ts'))};
       const options = { runDir: ${JSON.stringify(place)}, logDir: ${JSON.stringify(place)}, verbose: false, onTrouble() {} };
       await new ManagedProcess({ name: ${JSON.stringify(name)}, entry: ${JSON.stringify(entry)}, env: process.env, youngMegabytes: 1 }, options).start();
       console.log('started');`,
    ],
    { stdio: ['ignore', 'pipe', 'ignore'], env: childEnvironment({ LOG_LEVEL: 'info' }) },
  );
  await new Promise((resolve) => supervisor.stdout.once('data', resolve));
  return { supervisor, identity: fs.readFileSync(runFile(name), 'utf8') };
}

test('a process continues while its supervisor is suspended, whatever it writes, and its log continues after that', async () => {
  const progress = runFile('progress');
  const { supervisor, identity } = await startSupervisor(
    'chatty',
    `import fs from 'node:fs';
     import { log } from ${JSON.stringify(path.resolve(import.meta.dirname, '../platform/log.ts'))};
     process.on('SIGTERM', () => process.exit(0));
     process.on('SIGHUP', () => log.info('the last line'));
     process.on('SIGUSR2', () => {
       for (let n = 0; n < 20_000; n++) log.info({ n, text: 'x'.repeat(200) }, 'chatter');
       fs.writeFileSync(${JSON.stringify(progress)}, 'written');
     });
     process.send('ready'); ${STAYS}`,
  );
  const pid = Number(identity.split('-')[0]);
  const logged = () => fs.readFileSync(path.join(place, 'chatty.log'), 'utf8');
  supervisor.kill('SIGSTOP');
  try {
    process.kill(pid, 'SIGUSR2');
    await vi.waitFor(() => expect(fs.existsSync(progress)).toBe(true), { timeout: 20_000, interval: 20 });
  } finally {
    supervisor.kill('SIGCONT');
  }
  let asked = 0;
  await vi.waitFor(
    () => {
      process.kill(pid, 'SIGHUP');
      asked += 1;
      expect(logged()).toContain('the last line');
    },
    { timeout: 20_000, interval: 100 },
  );
  const records = logged()
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line));
  const kept = records.filter(({ msg }) => msg === 'chatter').length;
  const dropped = records.flatMap((record) => record.dropped ?? []);
  expect(dropped.length).toBeGreaterThan(0);
  const counted = kept + dropped.reduce((sum, count) => sum + count, 0);
  expect(counted).toBeGreaterThanOrEqual(20_000);
  // Some of the last lines may be among the dropped ones.
  expect(counted).toBeLessThanOrEqual(20_000 + asked);
  supervisor.kill('SIGKILL');
  await vi.waitFor(() => expect(isRunning(identity)).toBe(false), { timeout: 30_000, interval: 20 });
});

test('a process whose supervisor is killed with -9 stops cleanly', async () => {
  const stopped = runFile('stopped-in-order');
  const { supervisor, identity } = await startSupervisor(
    'orphan',
    `import fs from 'node:fs';
     process.on('SIGTERM', () => { fs.writeFileSync(${JSON.stringify(stopped)}, ''); process.exit(0); });
     process.send('ready'); ${STAYS}`,
  );
  expect(isRunning(identity)).toBe(true);
  supervisor.kill('SIGKILL');
  await vi.waitFor(() => expect(isRunning(identity)).toBe(false), { timeout: 30_000, interval: 20 });
  expect(fs.existsSync(stopped)).toBe(true);
});
