import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, onTestFinished, test } from 'vitest';
import { nodePath } from '#server/platform/process/node.ts';

const WATCH = new URL('./parent-watch.ts', import.meta.url).href;
const STAYS = 'setInterval(() => {}, 1000); process.send("loaded")';

/** A process that assumes `parent` is the pid of its supervisor. */
function startedBy(parent: number) {
  const child = spawn(nodePath, ['--import', `${WATCH}?parent=${parent}`, '-e', STAYS], {
    stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  return child;
}

test('a process ends when its supervisor died before it had loaded', async () => {
  const supervisor = spawn(nodePath, ['-e', '']);
  await once(supervisor, 'exit');
  const orphan = startedBy(supervisor.pid ?? 0);
  expect(await once(orphan, 'exit')).toEqual([1, null]);
}, 10_000);

test('a process started by one of the product’s processes for itself is left alone', async () => {
  const nested = startedBy(process.ppid);
  expect(await once(nested, 'message')).toContain('loaded');
  nested.kill();
  expect(await once(nested, 'exit')).toEqual([null, 'SIGTERM']);
}, 10_000);
