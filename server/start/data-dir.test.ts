import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { isRunning, processIdentity } from '#server/platform/process/identity.ts';
import { nodePath } from '#server/platform/process/node.ts';
import { takeDataDir } from './data-dir.ts';
import { StartError } from './start-error.ts';

const place = fs.mkdtempSync(path.join(os.tmpdir(), 'wirebird-data-'));
afterAll(() => fs.rmSync(place, { recursive: true, force: true }));

function idleProcess(script = 'process.stdin.resume()') {
  const child = spawn(nodePath, ['-e', script], { stdio: ['pipe', 'pipe', 'ignore'] });
  return { child, identity: processIdentity(child.pid ?? 0) ?? '' };
}

test('the directory is created for its owner only and can be locked again once released', async () => {
  const dir = path.join(place, 'new', 'data');
  const first = await takeDataDir(dir);
  expect(fs.statSync(dir).mode & 0o777).toBe(0o700);
  first.release();
  (await takeDataDir(dir)).release();
});

test('a second start on it is refused in one line with the process', async () => {
  const dir = path.join(place, 'taken');
  const taken = await takeDataDir(dir);
  const second = takeDataDir(dir);
  await expect(second).rejects.toThrow(StartError);
  await expect(second).rejects.toThrow(
    `Wirebird is already running on ${dir} (process ${process.pid}). Stop it, or set DATA_DIR to another directory.`,
  );
  taken.release();
});

test('the lock of a start that was killed is taken over', async () => {
  const dir = path.join(place, 'killed');
  fs.mkdirSync(dir);
  fs.writeFileSync(path.join(dir, 'start.lock'), `${process.pid}-1`);
  (await takeDataDir(dir)).release();
});

test('a directory that cannot be written to is refused with the name of the setting', async () => {
  const file = path.join(place, 'file');
  fs.writeFileSync(file, '');
  const refused = takeDataDir(path.join(file, 'data'));
  await expect(refused).rejects.toThrow(StartError);
  await expect(refused).rejects.toThrow(/^DATA_DIR .+ is not writable \(ENOTDIR\)\. Correct/);
});

test('processes left by a killed start are ended, and no others', async () => {
  const dir = path.join(place, 'leftovers');
  fs.mkdirSync(path.join(dir, 'run'), { recursive: true });
  const [left, stranger] = [idleProcess(), idleProcess()];
  fs.writeFileSync(path.join(dir, 'run', 'worker'), left.identity);
  // The pid is alive, but another process has reused it.
  fs.writeFileSync(path.join(dir, 'run', 'web'), `${stranger.child.pid}-1`);
  const taken = await takeDataDir(dir);
  expect(isRunning(left.identity)).toBe(false);
  expect(isRunning(stranger.identity)).toBe(true);
  expect(fs.readdirSync(taken.runDir)).toEqual([]);
  taken.release();
  stranger.child.kill('SIGKILL');
});
