import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { startStack } from '../e2e/stack.ts';

const TIMES = 3;
const WANTED_SECONDS = 5;

/** `npm start` on a used data directory, until `/readyz` answers 200. */
export async function benchStart() {
  const dataDir = await mkdtemp(path.join(os.tmpdir(), 'wirebird-bench-start-'));
  const seconds: number[] = [];
  try {
    // The first start may build, and creates the database.
    await (await startStack({ dataDir })).end('SIGTERM');
    for (let i = 0; i < TIMES; i++) {
      const startedAtMs = performance.now();
      const stack = await startStack({ dataDir });
      seconds.push(Math.round(performance.now() - startedAtMs) / 1000);
      await stack.end('SIGTERM');
    }
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
  const best = Math.min(...seconds);
  return { laterStartSeconds: seconds, ratio: { 'of 5 s': Math.round((best / WANTED_SECONDS) * 100) / 100 } };
}
