import { connect } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { newNumber } from '../e2e/new-number.ts';
import { type DashboardClient, signIn } from '../e2e/security/dashboard-client.ts';
import { type Stack, startStack } from '../e2e/stack.ts';
import { BENCH_PASSWORD, linkNumber, postText } from './link-number.ts';
import { percentile } from './statistics.ts';

const ROUNDS = 3;
const SAMPLES = 40;
const WARM_UP = 40;
const IDLE_MS = 60;
/** A load runs so long before it is measured: what was saved for its like is used up. */
const LOADED_MS = 4_000;
/** After a load has ended, so long later nothing is left of it. */
const LEFT_MS = 30_000;
const RATIO_MAX = 1.5;
const CUSTOMER = 'customer@example.com';
/** Where the loads come from, if no proxy says so. */
const ELSEWHERE = '127.0.0.2';

interface World {
  stack: Stack;
  port: number;
}

/** What one visitor or customer does to the others. Begins it, and returns what ends it. */
interface Row {
  begin(world: World): () => Promise<void>;
}

const ROWS: Record<string, Row> = {
  'uploads that are broken off': {
    begin: ({ port }) =>
      repeat(1, async () => {
        const head = `POST /sign-in HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nContent-Length: 1000\r\n\r\nx`;
        const socket = connect({ port, host: '127.0.0.1', localAddress: ELSEWHERE });
        socket.on('error', () => {});
        socket.write(head);
        await delay(50);
        socket.destroy();
      }),
  },
  'connections with 1,600 short requests each': {
    begin: ({ port }) =>
      repeat(4, () => burst(port, 'GET /v1/status HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(1_600))),
  },
};

/**
 * The time of another customer's send and page beside each load, as a ratio to alone, in turns: the p95 beside the load,
 * and the median 30 s after it (`left`).
 */
export async function benchNeighbourRows() {
  const stack = await startStack({
    env: { SANDBOX_SEND_INTERVAL_MS: '0', RATE_SENDS_PER_MINUTE: '1000000' },
  });
  try {
    const { key } = await linkNumber(stack);
    await newNumber(stack, { email: CUSTOMER, password: BENCH_PASSWORD, numbers: 1 });
    const customer = await signIn(stack.url, { email: CUSTOMER, password: BENCH_PASSWORD });
    const world = { stack, port: Number(new URL(stack.url).port) };
    const measure = (samples: number) => timings(stack, key, customer, samples);
    await measure(WARM_UP);
    const results: Record<string, unknown> = {};
    for (const [name, { begin }] of Object.entries(ROWS)) {
      const alone: Timings[] = [];
      const beside: Timings[] = [];
      for (let round = 0; round < ROUNDS; round += 1) {
        alone.push(await measure(SAMPLES));
        const end = begin(world);
        await delay(LOADED_MS);
        beside.push(await measure(SAMPLES));
        await end();
      }
      await delay(LEFT_MS);
      const left = [await measure(SAMPLES)];
      results[name] = compare(name, alone, beside, left);
    }
    return results;
  } finally {
    await stack.stop();
  }
}

interface Timings {
  send: number[];
  page: number[];
}

async function timings(
  stack: Stack,
  key: string,
  customer: DashboardClient,
  samples: number,
): Promise<Timings> {
  const taken: Timings = { send: [], page: [] };
  const timed = async (into: number[], work: () => Promise<unknown>) => {
    await delay(IDLE_MS);
    const from = performance.now();
    await work();
    into.push(performance.now() - from);
  };
  for (let n = 0; n < samples; n += 1) {
    await timed(taken.send, () => postText(stack, key, `message ${n}`));
    await timed(taken.page, async () => {
      const answer = await customer.query('account.me');
      await answer.text();
      if (answer.status !== 200) throw new Error(`a page answered ${answer.status}`);
    });
  }
  return taken;
}

function compare(name: string, alone: Timings[], beside: Timings[], left: Timings[]) {
  const at = (share: number, from: Timings[], of: keyof Timings) =>
    percentile(
      from.flatMap((one) => one[of]),
      share,
    );
  const ratio = (share: number, from: Timings[], of: keyof Timings) =>
    Math.round((at(share, from, of) / at(share, alone, of)) * 100) / 100;
  const ratios = {
    send: ratio(0.95, beside, 'send'),
    page: ratio(0.95, beside, 'page'),
    sendLeft: ratio(0.5, left, 'send'),
    pageLeft: ratio(0.5, left, 'page'),
  };
  for (const [what, value] of Object.entries(ratios))
    if (value > RATIO_MAX) {
      console.error(`${name}: ${what} takes ${value} times as long, ${RATIO_MAX} wanted`);
      process.exitCode = 1;
    }
  const p95Ms = (of: keyof Timings) => [alone, beside].map((from) => Math.round(at(0.95, from, of)));
  return { ratio: ratios, p95Ms: { send: p95Ms('send'), page: p95Ms('page') } };
}

/** Repeats an action on some lines at once until ended. */
function repeat(lines: number, action: () => Promise<void>): () => Promise<void> {
  let ended = false;
  const running = Array.from({ length: lines }, async () => {
    while (!ended) await action();
  });
  return async () => {
    ended = true;
    await Promise.all(running);
  };
}

/** Sends bytes over a connection of its own, until the server ends it. */
function burst(port: number, bytes: string): Promise<void> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1', localAddress: ELSEWHERE });
    socket.on('error', () => {}).resume();
    socket.once('close', () => resolve());
    socket.setTimeout(10_000, () => socket.destroy());
    socket.write(bytes);
  });
}
