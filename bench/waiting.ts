import { setTimeout as delay } from 'node:timers/promises';
import { startBrowserless } from './browserless.ts';

const NUMBERS = 200;
const PER_NUMBER = 5;
const INTERVAL_MS = 7000;
const LOOK_EVERY_MS = 250;
const MIB = 2 ** 20;

/** 1,000 synchronous requests that wait in one web process at once: their answers, and their memory. */
export async function benchWaiting() {
  const bench = await startBrowserless({ numbers: NUMBERS, intervalMs: INTERVAL_MS });
  try {
    // What the first requests load is not part of the cost of waiting.
    for (const number of bench.numbers.slice(0, 20))
      await bench.post(number, { to: '491700000001', body: 'warm' });
    await delay(INTERVAL_MS);
    const before = await bench.residentBytes(bench.web);
    let [most, over] = [before, false];
    const watching = (async () => {
      while (!over) {
        most = Math.max(most, await bench.residentBytes(bench.web));
        await delay(LOOK_EVERY_MS);
      }
    })();
    const began = performance.now();
    const statuses = await Promise.all(
      bench.numbers.flatMap((number) =>
        Array.from({ length: PER_NUMBER }, (_, n) =>
          bench.post(number, { to: `4917${10_000_000 + n}`, body: `waits ${n}` }),
        ),
      ),
    );
    const lastAnswerSeconds = Math.round((performance.now() - began) / 1000);
    over = true;
    await watching;
    const delivered = bench.numbers.flatMap(({ numberId }) => bench.network.inbox(numberId)).length - 20;
    const answers = Object.fromEntries(
      [...Map.groupBy(statuses, (status) => status)].map(([status, of]) => [status, of.length]),
    );
    return {
      requests: statuses.length,
      answers,
      delivered,
      lastAnswerSeconds,
      moreMemoryMiB: Math.round((most - before) / MIB),
    };
  } finally {
    await bench.stop();
  }
}
