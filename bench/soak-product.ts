import http from 'node:http';
import type { WithSql } from '#server/testing/sql.ts';
import type { FaultNumber } from '../e2e/faults/numbers.ts';
import type { Delivered } from '../e2e/faults/transport.ts';
import { startWorld } from '../e2e/faults/world.ts';
import { freePort } from '../e2e/stack.ts';
import { metricsOf, postMessage, startBrowserless } from './browserless.ts';

/** The product's processes under a soak test, and WhatsApp's own record of what arrived. */
export interface Product {
  database: WithSql;
  numbers: number;
  web: { pid?: number | undefined };
  worker: { pid?: number | undefined };
  /** The text of the metrics of the web process and of the worker. */
  metrics(): Promise<string[]>;
  /** Posts a text from a number, by its place, and resolves to the status of the answer. */
  post(place: number, message: { to: string; body: string }): Promise<number>;
  /** Messages that arrived before this time, in ms since the epoch, each of them once. */
  takeArrivals(before: number): Promise<{ body?: string | undefined; repeats: number }[]>;
  stop(): Promise<void>;
}

/** Numbers on a simulated network without browsers. */
export async function soakBrowserless(numbers: number, intervalMs: number): Promise<Product> {
  const bench = await startBrowserless({ numbers, intervalMs });
  return {
    ...bench,
    numbers,
    async post(place, message) {
      const number = bench.numbers[place];
      if (!number) throw new Error(`there is no number ${place}`);
      return bench.post(number, message);
    },
    takeArrivals: async (before) =>
      bench.numbers.flatMap(({ numberId }) => bench.network.takeArrivals(numberId, before)),
  };
}

/** Sandbox numbers in real Chromium. */
export async function soakBrowsers(count: number, intervalMs: number): Promise<Product> {
  const [webMetrics, workerMetrics] = [await freePort(), await freePort()];
  const world = await startWorld({
    transport: 'chromium',
    env: {
      LOG_LEVEL: 'error',
      METRICS_PORT: String(webMetrics),
      SANDBOX_SEND_INTERVAL_MS: String(intervalMs),
      SANDBOX_LEASE_MS: '30000',
    },
    workerEnv: { METRICS_PORT: String(workerMetrics) },
  });
  try {
    const numbers: FaultNumber[] = [];
    for (let place = 0; place < count; place++) numbers.push(await world.number(place));
    const agent = new http.Agent({ keepAlive: true });
    const port = Number(new URL(world.url).port);
    /** What was taken before, of what each phone still keeps. */
    const taken = new Map<string, Set<string>>();
    return {
      database: world.database,
      numbers: count,
      web: world.web,
      worker: world.worker,
      metrics: () => Promise.all([metricsOf(webMetrics), metricsOf(workerMetrics)]),
      post: (place, message) => postMessage({ agent, port, key: numbers[place]?.key ?? '', message }),
      async takeArrivals(before) {
        const fresh: Delivered[] = [];
        for (const number of numbers) {
          const old = (await world.transport.inbox(number)).filter(({ at }) => at < before);
          const known = taken.get(number.numberId);
          fresh.push(...old.filter(({ id }) => !known?.has(id)));
          taken.set(number.numberId, new Set(old.map(({ id }) => id)));
        }
        return fresh;
      },
      async stop() {
        agent.destroy();
        await world.stop();
      },
    };
  } catch (error) {
    await world.stop();
    throw error;
  }
}
