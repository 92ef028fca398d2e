import { mkdtemp, rm } from 'node:fs/promises';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import postgres from 'postgres';
import { BATCH_MAX } from '#server/dashboard/batch.ts';
import { ensurePostgres } from '#server/platform/embedded/postgres.ts';
import { newNumber } from '../e2e/new-number.ts';
import { signIn } from '../e2e/security/dashboard-client.ts';
import { type Stack, startStack } from '../e2e/stack.ts';
import { fill } from './dashboard.ts';
import { BENCH_PASSWORD, linkNumber, postText } from './link-number.ts';
import { benchNeighbourRows } from './neighbour-rows.ts';
import { percentile, summarise } from './statistics.ts';

const CONNECTIONS = 50;
const SESSIONS = 5;
const MESSAGES = 50_000;
/** Rounds of each kind, alternating, so that other load on the machine affects all of them. */
const ROUNDS = 6;
const SENDS = 40;
const WARM_UP = 60;
/** Long enough for the work after a message: the number is idle again. */
const IDLE_MS = 60;
/** Long enough to use up the dashboard's saved time. */
const FLOODED_MS = 4_000;
const RATIO_MAX = 1.5;

const NEIGHBOUR = 'neighbour@example.com';

/**
 * One customer's sends (POST to 200 on an idle number) alone, and beside 50 connections that call the heaviest dashboard
 * procedures in full batches, half anonymous, half of an account with 50,000 messages: all from one address, then each
 * from a different one. `noise` is the ratio of two halves of the rounds alone.
 */
export async function benchNeighbours() {
  const directory = await mkdtemp(path.join(os.tmpdir(), 'wirebird-bench-neighbours-'));
  const cluster = await ensurePostgres(path.join(directory, 'postgres'), { port: 0 });
  const sql = postgres(cluster.url, { max: 1, onnotice: () => {} });
  const env = { SANDBOX_SEND_INTERVAL_MS: '0', RATE_SENDS_PER_MINUTE: '1000000', TRUST_PROXY: 'on' };
  const stack = await startStack({ env: { DATABASE_URL: cluster.url, ...env } });
  try {
    const { key } = await linkNumber(stack);
    const cookies = await signInNeighbour(stack, sql);
    const form = await openForm(stack.url);
    const kinds: Kind[] = [
      anonymousBatch,
      (_, cookie) => signedIn('account.overview', { timeZone: 'Europe/Berlin' }, cookie),
      (round) => signInAttempt(round, form),
      (round, cookie) => signedIn('messages.list', { search: `bike ${round}` }, cookie),
      () => ({ method: 'GET', path: '/', headers: { host: 'another.example' } }),
    ];
    const send = sender(stack, key);
    for (let n = 0; n < WARM_UP; n += 1) await send();
    const alone: number[][] = [];
    const beside = { 'one address': [] as number[][], '50 addresses': [] as number[][] };
    const statuses: Record<string, number> = {};
    const turns: (() => Promise<void>)[] = [
      async () => void alone.push(await timings(send)),
      ...(['one address', '50 addresses'] as const).map((from) => async () => {
        const stop = flood({ url: stack.url, kinds, cookies, oneAddress: from === 'one address', statuses });
        await delay(FLOODED_MS);
        beside[from].push(await timings(send));
        await stop();
      }),
    ];
    for (let round = 0; round < ROUNDS; round += 1) {
      for (const turn of round % 2 === 0 ? turns : turns.toReversed()) await turn();
    }
    const half = (of: 0 | 1) => alone.filter((_, turn) => turn % 2 === of);
    const ratios = {
      'one address': ratioOf(beside['one address'], alone),
      '50 addresses': ratioOf(beside['50 addresses'], alone),
    };
    for (const [from, { p95 }] of Object.entries(ratios))
      if (p95 > RATIO_MAX) {
        console.error(`p95 beside neighbours of ${from}: ${p95} times as long, ${RATIO_MAX} wanted`);
        process.exitCode = 1;
      }
    return {
      connections: CONNECTIONS,
      alone: summarise(alone.flat()),
      besideOneAddress: summarise(beside['one address'].flat()),
      besideAddresses: summarise(beside['50 addresses'].flat()),
      answersToNeighbours: statuses,
      ratio: ratios,
      noise: ratioOf(half(0), half(1)),
      rows: await benchNeighbourRows(),
    };
  } finally {
    await stack.stop();
    await sql.end();
    await cluster.release();
    await rm(directory, { recursive: true, force: true });
  }
}

function ratioOf(a: number[][], b: number[][]) {
  const at = (share: number) =>
    Math.round((percentile(a.flat(), share) / percentile(b.flat(), share)) * 100) / 100;
  return { p50: at(0.5), p95: at(0.95) };
}

/** An account with many messages, and cookies of its owner's sign-ins. */
async function signInNeighbour(stack: Stack, sql: postgres.Sql): Promise<string[]> {
  const instance = await newNumber(stack, { email: NEIGHBOUR, password: BENCH_PASSWORD, numbers: 2 });
  await fill(sql, instance, MESSAGES);
  const cookies: string[] = [];
  while (cookies.length < SESSIONS)
    cookies.push((await signIn(stack.url, { email: NEIGHBOUR, password: BENCH_PASSWORD })).cookie);
  return cookies;
}

function sender(stack: Stack, key: string): () => Promise<number> {
  let n = 0;
  return async () => {
    await delay(IDLE_MS);
    n += 1;
    const from = performance.now();
    await postText(stack, key, `message ${n}`);
    return performance.now() - from;
  };
}

async function timings(send: () => Promise<number>): Promise<number[]> {
  const taken: number[] = [];
  while (taken.length < SENDS) taken.push(await send());
  return taken;
}

interface Ask {
  method: 'GET' | 'POST';
  path: string;
  headers: Record<string, string>;
  body?: string;
}

/** The next request of a connection: its index, and the cookie of a sign-in. */
type Kind = (round: number, cookie: string) => Ask;

/** Keeps 50 connections busy until stopped; counts the answers by status. */
function flood(params: {
  url: string;
  kinds: Kind[];
  cookies: string[];
  oneAddress: boolean;
  statuses: Record<string, number>;
}) {
  const { url, kinds, cookies, oneAddress, statuses } = params;
  const agent = new http.Agent({ keepAlive: true, maxSockets: CONNECTIONS });
  let stopped = false;
  const open = new Set<http.ClientRequest>();
  const ask = ({ method, path: target, headers, body }: Ask, n: number) =>
    new Promise<void>((resolve) => {
      const address = oneAddress ? '198.51.100.1' : `198.51.100.${n + 1}`;
      const asked = http.request(`${url}${target}`, {
        agent,
        method,
        headers: { ...headers, 'x-forwarded-for': address, 'x-forwarded-proto': 'http' },
      });
      open.add(asked);
      asked.once('response', (answer) => {
        const status = String(answer.statusCode);
        statuses[status] = (statuses[status] ?? 0) + 1;
        answer.resume().once('close', resolve);
      });
      asked.once('error', () => resolve());
      asked.once('close', () => open.delete(asked));
      asked.end(body);
    });
  const loops = Array.from({ length: CONNECTIONS }, async (_, n) => {
    const kind = kinds[n % kinds.length] ?? anonymousBatch;
    for (let round = 0; !stopped; round += 1) await ask(kind(round, cookies[n % cookies.length] ?? ''), n);
  });
  return async () => {
    stopped = true;
    for (const asked of open) asked.destroy();
    await Promise.all(loops);
    agent.destroy();
  };
}

function batchOf(procedure: string, input: unknown): { target: string; inputs: string } {
  const calls = Array.from({ length: BATCH_MAX }, (_, n) => [n, input]);
  return {
    target: `/api/trpc/${Array(BATCH_MAX).fill(procedure).join(',')}?batch=1`,
    inputs: JSON.stringify(Object.fromEntries(calls)),
  };
}

function anonymousBatch(): Ask {
  const { target, inputs } = batchOf('user.openReset', { token: 'x'.repeat(200) });
  return { method: 'POST', path: target, headers: { 'content-type': 'application/json' }, body: inputs };
}

function signedIn(procedure: string, input: unknown, cookie: string): Ask {
  const { target, inputs } = batchOf(procedure, input);
  return { method: 'GET', path: `${target}&input=${encodeURIComponent(inputs)}`, headers: { cookie } };
}

/** A sign-in form with a wrong password, which is hashed too. */
function signInAttempt(round: number, { cookie, token }: Form): Ask {
  const typed = { email: `nobody-${round}@example.com`, password: 'not a password of anybody' };
  return {
    method: 'POST',
    path: '/api/auth/callback/credentials',
    headers: { 'content-type': 'application/x-www-form-urlencoded', cookie },
    body: new URLSearchParams({ ...typed, csrfToken: token, json: 'true' }).toString(),
  };
}

/** The sign-in page's form with its token and cookie. */
interface Form {
  cookie: string;
  token: string;
}

async function openForm(url: string): Promise<Form> {
  const answer = await fetch(`${url}/api/auth/csrf`);
  const { csrfToken } = (await answer.json()) as { csrfToken: string };
  const cookies = answer.headers.getSetCookie().map((line) => line.split(';', 1)[0]);
  return { cookie: cookies.join('; '), token: csrfToken };
}
