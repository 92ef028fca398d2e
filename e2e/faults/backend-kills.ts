/**
 * `npm run test:faults -- --orders N`: a customer's backend, with only the send endpoint and a webhook receiver,
 * posts N messages, while the backend and our processes are killed at random moments. In the end it must know the
 * true state of each message.
 */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Running } from './child.ts';
import { closeHook, expectReported, type Hook, linesOf, openHook, receivedAt, storiesOf } from './hook.ts';
import type { OrderBook, TakenOrder } from './hook-files.ts';
import type { FaultNumber } from './numbers.ts';
import { until } from './until.ts';
import { startWorld, type World } from './world.ts';

const NUMBERS = 4;
const ENV = { SANDBOX_SEND_INTERVAL_MS: '100', SANDBOX_LEASE_MS: '3000' };
/** The longest life of a process once it is ready; every fourth is killed while it starts. */
const LIFE_MS_MAX = { backend: 1000, web: 2000, worker: 3000 };
/** Each process is killed once for this many orders, so that a slow machine has no more kills than a fast one. */
const ORDERS_PER_KILL = 10;
const PER_ORDER_MS = 4000;
const REPORTED_WITHIN_MS = 120_000;

export interface BackendKills {
  orders: number;
  /** Kills of each process: backend, web and worker. */
  kills: number;
  /** How many orders are in each state, as far as the backend knows. */
  states: Record<string, number>;
  /** Different events, and the requests that delivered them. */
  events: number;
  requests: number;
}

/** Throws when the backend does not have the true state of each of its messages. */
export async function runBackendKills(orders: number): Promise<BackendKills> {
  const world = await startWorld({ transport: 'browserless', env: ENV });
  try {
    const numbers: FaultNumber[] = [];
    for (let n = 0; n < NUMBERS; n++) numbers.push(await world.number(n));
    for (const number of numbers) world.transport.acknowledge(number);
    const hooks = await Promise.all(numbers.map((number) => openHook(world, number, 'prompt')));
    const book: OrderBook = { url: world.url, keys: numbers.map(({ key }) => key), orders };
    writeFileSync(path.join(world.backendDir, 'orders.json'), JSON.stringify(book));
    const kills = Math.ceil(orders / ORDERS_PER_KILL);
    const killing = Object.entries(LIFE_MS_MAX).map(([name, lifeMsMax]) =>
      keepKilling(world[name as keyof typeof LIFE_MS_MAX], { lifeMsMax, kills }),
    );
    const taken = () => linesOf<TakenOrder>(world, 'taken.jsonl');
    await Promise.all(killing);
    await until('each order is taken', () => taken().length >= orders, 60_000 + orders * PER_ORDER_MS);
    for (const hook of hooks) await expectReported(world, hook, { withinMs: REPORTED_WITHIN_MS });
    const states = await statesOf(world, { hooks, taken: taken(), orders });
    const received = hooks.flatMap((hook) => receivedAt(world, hook));
    for (const hook of hooks) await closeHook(world, hook);
    return {
      orders,
      kills,
      states,
      events: new Set(received.map(({ id }) => id)).size,
      requests: received.length,
    };
  } finally {
    await world.stop();
  }
}

/** Kills a process `kills` times, then leaves it running. */
async function keepKilling(
  child: Running,
  { lifeMsMax, kills }: { lifeMsMax: number; kills: number },
): Promise<void> {
  for (let killed = 0; killed < kills; killed += 1) {
    const starting = child.running ? Promise.resolve() : child.start().catch(() => {});
    if (killed % 4 !== 3) await starting;
    await delay(Math.random() * lifeMsMax);
    await child.end('SIGKILL');
    await starting;
  }
  await child.start();
}

/** The number of orders in each state that the backend last saw. Throws unless orders and messages match. */
async function statesOf(
  world: World,
  { hooks, taken, orders }: { hooks: Hook[]; taken: TakenOrder[]; orders: number },
): Promise<Record<string, number>> {
  const messageOf = new Map(taken.map(({ order, messageId }) => [order, messageId]));
  const stored = await world.database.sql<{ id: string }[]>`select id from messages`;
  const ordered = new Set(messageOf.values());
  const strangers = stored.filter(({ id }) => !ordered.has(id));
  if (messageOf.size !== orders || ordered.size !== orders || strangers.length > 0)
    throw new Error(
      `${messageOf.size} of ${orders} orders have ${ordered.size} messages; ${strangers.length} belong to none`,
    );
  const states: Record<string, number> = {};
  for (const hook of hooks)
    for (const [id, story] of storiesOf(receivedAt(world, hook)))
      if (ordered.has(id)) {
        const status = story.at(-1)?.status ?? '';
        states[status] = (states[status] ?? 0) + 1;
      }
  return states;
}
