import { setTimeout as delay } from 'node:timers/promises';
import { startWorld } from '../e2e/faults/world.ts';
import { percentile } from './statistics.ts';

const NUMBERS = 16;
const WANTED_SECONDS = 30;
const LOOK_MS = 50;

/**
 * Sandbox numbers in real browsers whose worker is stopped, or killed, and started again: the time from the
 * start of the new process until the numbers are CONNECTED, by the database. Web, database and sandbox keep
 * running.
 */
export async function benchRestart(numbers = NUMBERS) {
  const world = await startWorld({
    transport: 'chromium',
    env: { SANDBOX_LEASE_MS: '30000', LOG_LEVEL: 'warn' },
  });
  try {
    for (let place = 0; place < numbers; place++) await world.number(place);
    const lastEvent = async () =>
      (
        await world.database.sql<{ id: number }[]>`select coalesce(max(id), 0)::int as id from number_events`
      )[0]?.id ?? 0;
    const connectedSince = async (event: number) =>
      (
        await world.database.sql<{ n: number }[]>`
          select count(distinct number_id)::int as n from number_events where id > ${event} and status = 'CONNECTED'`
      )[0]?.n ?? 0;
    const restart = async (signal: 'SIGTERM' | 'SIGKILL') => {
      await world.worker.end(signal);
      const before = await lastEvent();
      const from = performance.now();
      const starting = world.worker.start();
      const backAt: number[] = [];
      while (backAt.length < numbers) {
        await delay(LOOK_MS);
        const back = await connectedSince(before);
        const seconds = Math.round((performance.now() - from) / 10) / 100;
        while (backAt.length < back) backAt.push(seconds);
      }
      await starting;
      return { first: backAt[0], median: percentile(backAt, 0.5), last: Math.max(...backAt) };
    };
    const stopped = await restart('SIGTERM');
    const killed = await restart('SIGKILL');
    const ratio = (seconds: number) => Math.round((seconds / WANTED_SECONDS) * 100) / 100;
    return {
      numbers,
      backSeconds: { stopped, killed },
      ratio: { 'stopped, of 30 s': ratio(stopped.last), 'killed, of 30 s': ratio(killed.last) },
    };
  } finally {
    await world.stop();
  }
}
