import { spawn } from 'node:child_process';
import { once } from 'node:events';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { leasesOf } from '#server/numbers/queries/leases.ts';
import { log } from '#server/platform/log.ts';
import { nodePath } from '#server/platform/process/node.ts';
import { stopClientBoss } from '#server/platform/queue/boss.ts';
import { testDatabase } from '#server/testing/database.ts';
import { makeAccount, makeNumber } from '#server/testing/domain.ts';
import { processTable } from '../engine/process-table.ts';
import { profilePath, userDataDir } from '../engine/profile.ts';
import { registerWorker, releaseDeadWorkers } from './dead-workers.ts';

const database = testDatabase();
let dataDir: string;
beforeAll(async () => {
  dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'wirebird-dead-workers-'));
});
afterAll(async () => {
  await stopClientBoss();
  fs.rmSync(dataDir, { recursive: true, force: true });
});

/** A number whose lease this worker holds. */
async function heldBy(workerId: string): Promise<string> {
  const { accountId } = await makeAccount(database, 1);
  const numberId = await makeNumber(database, { accountId });
  await database.sql`
    update leases set worker_id = ${workerId}, expires_at = clock_timestamp() + interval '1 hour',
      renewed_at = clock_timestamp() where number_id = ${numberId}`;
  expect(await leasesOf(database, { workerId })).toEqual([numberId]);
  return numberId;
}

/** Registers a worker whose process has already ended. */
async function died(workerId: string): Promise<void> {
  const child = spawn(
    nodePath,
    [
      '--input-type=module',
      '-e',
      `const { registerWorker } = await import(${JSON.stringify(path.join(import.meta.dirname, 'dead-workers.ts'))});
       registerWorker(${JSON.stringify(dataDir)}, ${JSON.stringify(workerId)});`,
    ],
    { stdio: 'inherit' },
  );
  expect(await once(child, 'exit')).toEqual([0, null]);
}

test('the numbers of a worker that died here are free at once, and those of another worker are not touched', async () => {
  await heldBy('wrk_dead');
  const live = await heldBy('wrk_live');
  const elsewhere = await heldBy('wrk_elsewhere');
  await died('wrk_dead');
  await died('wrk_elsewhere');
  const file = path.join(dataDir, 'workers', 'wrk_elsewhere');
  const signed = JSON.parse(fs.readFileSync(file, 'utf8'));
  fs.writeFileSync(file, JSON.stringify({ ...signed, space: 'another container' }));
  const unregister = registerWorker(dataDir, 'wrk_live');

  await releaseDeadWorkers({ database, dataDir, log });
  expect(await leasesOf(database, { workerId: 'wrk_dead' })).toEqual([]);
  expect(await leasesOf(database, { workerId: 'wrk_live' })).toEqual([live]);
  expect(await leasesOf(database, { workerId: 'wrk_elsewhere' })).toEqual([elsewhere]);
  unregister();
  expect(fs.readdirSync(path.join(dataDir, 'workers'))).toEqual(['wrk_elsewhere']);
});

test('a number is free when the browser of its dead worker has ended', async () => {
  const numberId = await heldBy('wrk_browser');
  await died('wrk_browser');
  // A process in place of the browser: it has the browser's argument, and ends on its own.
  const browser = spawn(nodePath, [
    '-e',
    'process.stdin.resume().on("end", () => process.exit())',
    '--',
    `--user-data-dir=${userDataDir(profilePath(dataDir, numberId))}`,
    'about:blank',
  ]);
  // For a moment after its start a process has no arguments.
  const isThere = () =>
    processTable().some(({ pid, command }) => pid === browser.pid && command.includes('about:blank'));
  await vi.waitFor(() => expect(isThere()).toBe(true), { timeout: 10_000, interval: 10 });
  const released = releaseDeadWorkers({ database, dataDir, log, browsersEndMs: 60_000 });
  await delay(300);
  expect(await leasesOf(database, { workerId: 'wrk_browser' })).toEqual([numberId]);
  browser.stdin.end();
  await released;
  expect(isThere()).toBe(false);
  expect(await leasesOf(database, { workerId: 'wrk_browser' })).toEqual([]);
});
