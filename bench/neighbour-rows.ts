import { mkdtemp, rm } from 'node:fs/promises';
import { connect } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import postgres from 'postgres';
import { BATCH_MAX } from '#server/dashboard/batch.ts';
import { openDatabase } from '#server/platform/db/client.ts';
import { ensurePostgres } from '#server/platform/embedded/postgres.ts';
import { withSql } from '#server/testing/sql.ts';
import { newNumber } from '../e2e/new-number.ts';
import { signIn } from '../e2e/security/dashboard-client.ts';
import { startStack } from '../e2e/stack.ts';
import { fill } from './dashboard.ts';
import { BENCH_PASSWORD, linkNumber, postText } from './link-number.ts';
import { CUSTOMER_LOADS, listenForEvents, OTHERS } from './neighbour-customers.ts';
import { ask, CUSTOMER, type Load, repeat, type World } from './neighbour-world.ts';
import { percentile } from './statistics.ts';

const ROUNDS = 3;
const SAMPLES = 120;
const WARM_UP = 40;
const IDLE_MS = 60;
const PAGE_EVERY = 4;
/** A load runs so long before it is measured: what was saved for its like is used up. */
const LOADED_MS = 4_000;
/** After a load has ended, so long later nothing is left of it. */
const LEFT_MS = 30_000;
const RATIO_MAX = 1.5;
const MESSAGES = 50_000;
const BUSY = 'busy@example.com';
/** Where connections of a load come from. */
const ELSEWHERE = '127.0.0.2';

const PIPELINED = 'connections with 1,600 short requests each';
const LOADS: Record<string, Load> = {
  'uploads that are broken off': ({ port }) =>
    repeat(1, async () => {
      const socket = connect({ port, host: '127.0.0.1', localAddress: ELSEWHERE });
      socket.on('error', () => {});
      socket.write(uploadHead(port, 1_000, ELSEWHERE));
      await delay(50);
      socket.destroy();
    }),
  [PIPELINED]: ({ port }) =>
    repeat(4, () => burst(port, 'GET /v1/status HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(1_600))),
  '400 open uploads': ({ port }) =>
    repeat(400, () => burst(port, uploadHead(port, 200_000, '198.51.100.1') + ' '.repeat(199_000))),
  'changes of one customer': ({ stack, cookie, numberId }) =>
    repeat(20, (n) => {
      const change = { numberId, label: `label ${n}` };
      return ask(stack, '/api/trpc/numbers.setLabel', { address: '198.51.100.2', cookie, json: change });
    }),
  'batched searches of one customer': ({ stack, cookie }) =>
    repeat(20, (n) => {
      const calls = Array.from({ length: BATCH_MAX }, (_, i) => [i, { search: `bike ${n} ${i}` }]);
      const input = encodeURIComponent(JSON.stringify(Object.fromEntries(calls)));
      const path = `/api/trpc/${Array(BATCH_MAX).fill('messages.list').join(',')}?batch=1&input=${input}`;
      return ask(stack, path, { address: '198.51.100.3', cookie });
    }),
  'strangers of 40 /64 in one /48': ({ stack }) =>
    repeat(40, (n, line) => ask(stack, `/sign-in?n=${n}`, { address: `2001:db8:1:${line}::1` })),
  ...CUSTOMER_LOADS,
};

/**
 * The time of another customer's send and page beside each load, as a ratio to alone, in turns: the p95 beside the load,
 * and the median 30 s after it (`left`). `other` is what else a load might delay. `only` names some of the loads.
 */
export async function benchNeighbourRows(only = Object.keys(LOADS)) {
  const isDirect = (name: string) => name === PIPELINED;
  const direct = only.filter(isDirect);
  return {
    ...(await benchRows(
      only.filter((name) => !isDirect(name)),
      { TRUST_PROXY: 'on' },
    )),
    // A proxy takes the requests of a connection apart.
    ...(direct.length > 0 && (await benchRows(direct, {}))),
  };
}

async function benchRows(only: readonly string[], proxy: Record<string, string>) {
  const directory = await mkdtemp(path.join(os.tmpdir(), 'wirebird-bench-neighbour-rows-'));
  const cluster = await ensurePostgres(path.join(directory, 'postgres'), { port: 0 });
  const sql = postgres(cluster.url, { max: 1, onnotice: () => {} });
  const database = withSql(openDatabase(cluster.url, 2));
  const env = {
    SANDBOX_SEND_INTERVAL_MS: '0',
    RATE_SENDS_PER_MINUTE: '1000000',
    ...proxy,
    WEBHOOK_ALLOW_HOSTS: await listenForEvents(),
  };
  const stack = await startStack({ env: { DATABASE_URL: cluster.url, ...env } });
  try {
    const { key } = await linkNumber(stack);
    await newNumber(stack, { email: CUSTOMER, password: BENCH_PASSWORD, numbers: 1 });
    const customer = await signIn(stack.url, { email: CUSTOMER, password: BENCH_PASSWORD });
    const numberId = await newNumber(stack, { email: BUSY, password: BENCH_PASSWORD, numbers: 1 });
    await fill(sql, numberId, MESSAGES);
    const { cookie } = await signIn(stack.url, { email: BUSY, password: BENCH_PASSWORD });
    const port = Number(new URL(stack.url).port);
    const world: World = { stack, port, cookie, numberId, database, customer };
    const measure = (samples: number, other?: (typeof OTHERS)[string]) => timings(world, key, samples, other);
    await measure(WARM_UP);
    const results: Record<string, unknown> = {};
    for (const name of only) {
      const alone: Timings[] = [];
      const beside: Timings[] = [];
      for (let round = 0; round < ROUNDS; round += 1) {
        alone.push(await measure(SAMPLES, OTHERS[name]));
        const end = await LOADS[name]?.(world);
        await delay(LOADED_MS);
        beside.push(await measure(SAMPLES, OTHERS[name]));
        await end?.();
      }
      await delay(LEFT_MS);
      const left = [await measure(SAMPLES, OTHERS[name])];
      results[name] = compare(name, alone, beside, left);
    }
    return results;
  } finally {
    await stack.stop();
    await database.close();
    await sql.end();
    await cluster.release();
    await rm(directory, { recursive: true, force: true });
  }
}

interface Timings {
  send: number[];
  page: number[];
  other: number[];
}

async function timings(
  world: World,
  key: string,
  samples: number,
  other?: (typeof OTHERS)[string],
): Promise<Timings> {
  const { stack, customer } = world;
  const taken: Timings = { send: [], page: [], other: [] };
  const timed = async (into: number[], work: () => Promise<unknown>) => {
    await delay(IDLE_MS);
    const from = performance.now();
    await work();
    into.push(performance.now() - from);
  };
  for (let n = 0; n < samples; n += 1) {
    await timed(taken.send, () => postText(stack, key, `message ${n}`));
    // About as often as a person opens one.
    if (n % PAGE_EVERY === 0)
      await timed(taken.page, async () => {
        const answer = await customer.query('account.me');
        await answer.text();
        if (answer.status !== 200) throw new Error(`a page answered ${answer.status}`);
      });
    if (other && n % PAGE_EVERY === 0) await timed(taken.other, () => other(world));
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
    ...(OTHERS[name] && {
      other: ratio(0.95, beside, 'other'),
      otherLeft: ratio(0.5, left, 'other'),
    }),
  };
  for (const [what, value] of Object.entries(ratios))
    if (value > RATIO_MAX) {
      console.error(`${name}: ${what} takes ${value} times as long, ${RATIO_MAX} wanted`);
      process.exitCode = 1;
    }
  const p95Ms = (of: keyof Timings) => [alone, beside].map((from) => Math.round(at(0.95, from, of)));
  return { ratio: ratios, p95Ms: { send: p95Ms('send'), page: p95Ms('page'), other: p95Ms('other') } };
}

const uploadHead = (port: number, bytes: number, address: string) =>
  `POST /sign-in HTTP/1.1\r\nHost: 127.0.0.1:${port}\r\nX-Forwarded-For: ${address}\r\nX-Forwarded-Proto: http\r\nContent-Length: ${bytes}\r\n\r\nx`;

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
