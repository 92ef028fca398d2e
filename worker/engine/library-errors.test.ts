import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { expect, test } from 'vitest';
import { handleLibraryRejection, runLibraryCode, runOwnCode } from './library-errors.ts';

/** What `handleLibraryRejection` returns for each unhandled rejection of `work`. */
async function rejectionsOf(work: () => Promise<unknown>): Promise<boolean[]> {
  const others = process.listeners('unhandledRejection');
  process.removeAllListeners('unhandledRejection');
  const pinned: boolean[] = [];
  process.on('unhandledRejection', (reason) => pinned.push(handleLibraryRejection(reason)));
  try {
    await work();
    await new Promise((resolve) => setImmediate(resolve));
  } finally {
    process.removeAllListeners('unhandledRejection');
    for (const listener of others) process.on('unhandledRejection', listener);
  }
  return pinned;
}

test('a rejection in a browser event is reported to the session that launched the browser, and to no other', async () => {
  const reported = { a: [] as string[], b: [] as string[] };
  const launch = (name: 'a' | 'b') =>
    runLibraryCode(
      (error) => reported[name].push(error.message),
      () => {
        const child = spawn(process.execPath, ['-e', 'console.log(1)']);
        child.stdout.once('data', async () => {
          throw name === 'a' ? new Error('failed in a') : 'a string from b';
        });
        return once(child, 'exit');
      },
    );
  expect(await rejectionsOf(() => Promise.all([launch('a'), launch('b')]))).toEqual([true, true]);
  expect(reported).toEqual({ a: ['failed in a'], b: ['a string from b'] });
});

test('a rejection in our own code is reported as ours, even if the library called it', async () => {
  const reported: Error[] = [];
  const ours = async () => {
    throw new Error('ours');
  };
  const pinned = await rejectionsOf(async () => {
    void ours();
    runLibraryCode(
      (error) => reported.push(error),
      () => void runOwnCode(ours),
    );
  });
  expect(pinned).toEqual([false, false]);
  expect(reported).toEqual([]);
});
