import { mkdir, writeFile } from 'node:fs/promises';
import os from 'node:os';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { listWorkers } from '#server/operations/drain-worker.ts';
import type { WithSql } from '#server/testing/sql.ts';
import { startWorld } from '../e2e/faults/world.ts';
import { startBrowserless } from './browserless.ts';
import { keepSending, lateness, queriesPerSecond, untilNothingWaits } from './many-numbers.ts';
import { summarise } from './statistics.ts';

/**
 * `npm run bench:fleet [-- --numbers 200 --seconds 300 --browsers 16 --workers 2,8]`: how many announcements each
 * process gets, then numbers on two workers without browsers, then how long sandbox numbers with real browsers are
 * disconnected while their worker is drained. 32 workers need `max_connections` 500 in `embedded/server.ts`.
 */
const INTERVAL_MS = 5000;
const IDLE_MS = 20_000;
const EVEN_WITHIN_MS = 120_000;
const LOOK_MS = 50;
const NUMBERS_PER_WORKER = 2;
const MESSAGES_PER_NUMBER = 10;

const spreadOf = async (database: WithSql) => (await listWorkers({ database })).map(({ numbers }) => numbers);

/** Waits until each worker has its share of the numbers, and resolves to how many each has. */
async function untilEven(database: WithSql): Promise<number[]> {
  const evenBy = performance.now() + EVEN_WITHIN_MS;
  let spread = await spreadOf(database);
  while (Math.max(...spread) - Math.min(...spread) > 1 && performance.now() < evenBy) {
    await delay(500);
    spread = await spreadOf(database);
  }
  return spread;
}

async function benchTwoWorkers(numbers: number, seconds: number) {
  const bench = await startBrowserless({ numbers, intervalMs: INTERVAL_MS, workers: 2 });
  try {
    const spread = await untilEven(bench.database);
    const until = performance.now() + seconds * 1000;
    const statuses = (
      await Promise.all(bench.numbers.map((number) => keepSending(bench, number, until)))
    ).flat();
    const late = await lateness(bench.database);
    await untilNothingWaits(bench.database);
    return {
      numbers,
      spread,
      seconds,
      accepted: statuses.filter((status) => status === 202).length,
      refused: statuses.filter((status) => status !== 202).length,
      messagesPerSecond: Math.round(((late.length + numbers) / seconds) * 10) / 10,
      lateMs: summarise(late),
      idleQueriesPerSecond: await queriesPerSecond(bench.database, IDLE_MS),
    };
  } finally {
    await bench.stop();
  }
}

/** How many announcements of the database each process gets per message, with more and more workers. */
async function benchNotifications(workerCounts: readonly number[]) {
  const rows: { workers: number; messages: number; webPerMessage: number; perWorkerAndMessage: number }[] =
    [];
  for (const workers of workerCounts) {
    const numbers = workers * NUMBERS_PER_WORKER;
    const bench = await startBrowserless({ numbers, intervalMs: 250, workers });
    try {
      await untilEven(bench.database);
      const before = await bench.notifications();
      const statuses: number[] = [];
      for (let n = 0; n < MESSAGES_PER_NUMBER; n++) {
        const text = { to: '491522888', body: `message ${n}` };
        statuses.push(...(await Promise.all(bench.numbers.map((number) => bench.post(number, text)))));
      }
      const [web = Number.NaN, ...heard] = (await bench.notifications()).map((n, i) => n - (before[i] ?? 0));
      const messages = statuses.filter((status) => status === 200).length;
      const perWorker = heard.reduce((sum, n) => sum + n, 0) / workers;
      rows.push({
        ...{ workers, messages, webPerMessage: round(web / messages) },
        perWorkerAndMessage: round(perWorker / (messages / workers)),
      });
    } finally {
      await bench.stop();
    }
  }
  return rows;
}

const round = (n: number) => Math.round(n * 100) / 100;

/** How long each number takes to move from one worker to another, by the database, in ms. */
async function benchMoves(count: number) {
  const world = await startWorld({ transport: 'chromium', env: { SANDBOX_LEASE_MS: '30000' } });
  try {
    for (let place = 0; place < count; place++) await world.number(place);
    const second = await world.newWorker({ volume: 'second', line: await world.newLine() });
    await second.start();
    const away = new Map<string, number>();
    let over = false;
    const watching = (async () => {
      while (!over) {
        const from = performance.now();
        const moving = await world.database.sql<
          { id: string }[]
        >`select id from numbers where moving_until is not null`;
        await delay(LOOK_MS);
        for (const { id } of moving) away.set(id, (away.get(id) ?? 0) + performance.now() - from);
      }
    })();
    const began = performance.now();
    await world.worker.end('SIGTERM');
    const drainMs = Math.round(performance.now() - began);
    for (let place = 0; place < count; place++)
      await world.untilStatus(await world.number(place), 'CONNECTED');
    over = true;
    await watching;
    return { numbers: count, drainMs, awayMs: summarise([...away.values()]) };
  } finally {
    await world.stop();
  }
}

/** Short by default, for `npm run bench`. */
export async function benchFleet({ numbers = 60, seconds = 30, browsers = 4, workers = [2, 8] } = {}) {
  return {
    notifications: await benchNotifications(workers),
    twoWorkers: await benchTwoWorkers(numbers, seconds),
    moves: await benchMoves(browsers),
  };
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: {
      numbers: { type: 'string', default: '200' },
      seconds: { type: 'string', default: '300' },
      browsers: { type: 'string', default: '16' },
      workers: { type: 'string', default: '2,8' },
    },
  });
  const results = {
    machine: { cpus: os.cpus().length, model: os.cpus()[0]?.model ?? 'unknown', node: process.version },
    ...(await benchFleet({
      numbers: Number(values.numbers),
      seconds: Number(values.seconds),
      browsers: Number(values.browsers),
      workers: values.workers.split(',').map(Number),
    })),
  };
  console.log(JSON.stringify(results, null, 2));
  await mkdir('bench-results', { recursive: true });
  await writeFile(
    `bench-results/fleet-${new Date().toISOString().replaceAll(':', '-')}.json`,
    `${JSON.stringify(results, null, 2)}\n`,
  );
}
