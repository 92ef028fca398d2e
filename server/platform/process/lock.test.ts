import { spawn, spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { isRunning, processIdentity } from './identity.ts';
import { LockHeldError, lock, withLock } from './lock.ts';
import { nodePath } from './node.ts';

const place = fs.mkdtempSync(path.join(os.tmpdir(), 'wirebird-lock-'));
afterAll(() => fs.rmSync(place, { recursive: true, force: true }));
let files = 0;
const newPath = () => path.join(place, `lock-${++files}`);

/** A process that ends when its standard input does. */
async function startProcess() {
  const child = spawn(nodePath, ['-e', 'process.stdin.resume()'], { stdio: ['pipe', 'ignore', 'ignore'] });
  const identity = processIdentity(child.pid ?? 0) ?? '';
  const end = () =>
    new Promise<void>((resolve) => {
      child.once('exit', () => resolve());
      child.stdin.end();
    });
  return { identity, end };
}

test('a process is identified by its pid and start time, and not found once it has ended', async () => {
  const { identity, end } = await startProcess();
  expect(isRunning(identity)).toBe(true);
  expect(isRunning(`${identity.split('-')[0]}-1`)).toBe(false);
  await end();
  expect(isRunning(identity)).toBe(false);
});

test.each(['', 'text', '0-1', '-1', '12', '99999999-5'])('%j is nobody', (text) => {
  expect(isRunning(text)).toBe(false);
});

test('the lock of a living process is refused with its pid, and free again once released', async () => {
  const file = newPath();
  const { identity, end } = await startProcess();
  fs.writeFileSync(file, identity);
  const refused = await lock(file, 50).catch((error) => error);
  expect(refused).toBeInstanceOf(LockHeldError);
  expect(refused.pid).toBe(Number(identity.split('-')[0]));
  await end();
  const unlock = await lock(file, 0);
  unlock();
  expect(fs.existsSync(file)).toBe(false);
});

test('a lock of a process that ended, or whose pid is reused, is taken over', async () => {
  const file = newPath();
  fs.writeFileSync(file, `${process.pid}-1`);
  const unlock = await lock(file, 0);
  expect(fs.readFileSync(file, 'utf8')).toBe(processIdentity());
  unlock();
});

test('a lock file whose writer died before it wrote its pid is taken over', async () => {
  const file = newPath();
  fs.writeFileSync(file, '');
  const longAgo = new Date(Date.now() - 60_000);
  fs.utimesSync(file, longAgo, longAgo);
  (await lock(file, 0))();
});

test('a lock that cannot be written, as on a full disk, leaves no file', () => {
  const file = newPath();
  const script = `
    import { lock } from ${JSON.stringify(path.join(import.meta.dirname, 'lock.ts'))};
    await lock(${JSON.stringify(file)}).catch(({ code }) => console.log(code));`;
  const shell = 'ulimit -f 0; exec "$0" --input-type=module-typescript -e "$1"';
  const run = spawnSync('/bin/sh', ['-c', shell, nodePath, script], { encoding: 'utf8' });
  expect(run.stdout).toBe('EFBIG\n');
  expect(fs.existsSync(file)).toBe(false);
});

test('the lock is released when the work under it fails', async () => {
  const file = newPath();
  await expect(withLock(file, () => Promise.reject(new Error('no')))).rejects.toThrow('no');
  expect(fs.existsSync(file)).toBe(false);
});

test('of many that find a stale lock at once, never two hold it, and nothing is left over', async () => {
  const file = newPath();
  fs.writeFileSync(file, `${process.pid}-1`);
  const script = `
    import fs from 'node:fs';
    import { withLock } from ${JSON.stringify(path.join(import.meta.dirname, 'lock.ts'))};
    for (let n = 0; n < 20; n++) {
      await withLock(${JSON.stringify(file)}, async () => {
        fs.mkdirSync(${JSON.stringify(`${file}.inside`)});
        await new Promise(setImmediate);
        fs.rmdirSync(${JSON.stringify(`${file}.inside`)});
      });
    }`;
  const runs = Array.from({ length: 4 }, () => {
    const child = spawn(nodePath, ['--input-type=module-typescript', '-e', script], { stdio: 'ignore' });
    return new Promise((resolve) => child.once('exit', resolve));
  });
  expect(await Promise.all(runs)).toEqual([0, 0, 0, 0]);
  expect(fs.readdirSync(place).filter((name) => name.startsWith(path.basename(file)))).toEqual([]);
});
