/**
 * `npm run test:faults -- --kills N`: SIGKILLs workers N times at random moments, whether they are starting,
 * waiting or sending, while callers post continuously. Without browsers: this process simulates the network, so
 * it outlives every worker and knows what was delivered.
 */
import { setTimeout as delay } from 'node:timers/promises';
import type { Running } from './child.ts';
import type { FaultNumber } from './numbers.ts';
import { checkAlways, fateOf } from './oracle.ts';
import { type Posted, post, summaryOf } from './post.ts';
import { until } from './until.ts';
import { startWorld, type World } from './world.ts';
import type { DatabaseKind } from './world-database.ts';

const WORKERS = 4;
const NUMBERS = 6;
/** The longest life of a worker, from its start. */
const LIFE_MS_MAX = 12_000;
const ENV = { SANDBOX_SEND_INTERVAL_MS: '200', SANDBOX_LEASE_MS: '3000' };

export interface KillsResult {
  kills: number;
  posts: number;
  /** What callers saw, and what is stored, each with its count. */
  callers: Record<string, number>;
  stored: Record<string, number>;
  problems: string[];
}

export async function runKills(kills: number, database: DatabaseKind): Promise<KillsResult> {
  const world = await startWorld({ transport: 'browserless', database, env: ENV, travelMsMax: 100 });
  try {
    const numbers: FaultNumber[] = [];
    for (let n = 0; n < NUMBERS; n++) numbers.push(await world.number(n));
    const run = { killed: 0, wanted: kills, over: false };
    const posts: Posted[] = [];
    const callers = numbers.map((number) => keepPosting(world, number, posts, run));
    const workers = [world.worker];
    while (workers.length < WORKERS) workers.push(await world.newWorker());
    await Promise.all(workers.map((worker) => keepKilling(worker, run)));
    run.over = true;
    await Promise.all(callers);
    await Promise.all(workers.map((worker) => (worker.running ? undefined : worker.start())));
    for (const number of numbers) await world.untilStatus(number, 'CONNECTED');
    return { kills: run.killed, posts: posts.length, ...(await judge(world, posts)) };
  } finally {
    await world.stop();
  }
}

interface Run {
  killed: number;
  wanted: number;
  over: boolean;
}

async function keepPosting(world: World, number: FaultNumber, posts: Posted[], run: Run): Promise<void> {
  while (!run.over) {
    const posted = post(world, number);
    const { status } = await posted.answer;
    // A request refused before it was accepted leaves nothing to check.
    if (status === 409 || status === 429) await delay(200);
    posts.push(posted);
  }
}

async function keepKilling(worker: Running, run: Run): Promise<void> {
  while (run.killed < run.wanted) {
    run.killed += 1;
    if (run.killed % 50 === 0) console.log(`${run.killed} of ${run.wanted} kills`);
    const starting = worker.running ? Promise.resolve() : worker.start().catch(() => {});
    await delay(Math.random() * LIFE_MS_MAX);
    await worker.end('SIGKILL');
    await starting;
  }
}

async function judge(world: World, posts: Posted[]): Promise<Omit<KillsResult, 'kills' | 'posts'>> {
  const callers: Record<string, number> = {};
  const stored: Record<string, number> = {};
  const problems: string[] = [];
  const count = (into: Record<string, number>, what: string) => {
    into[what] = (into[what] ?? 0) + 1;
  };
  await until('nothing waits', async () => {
    const rows = await world.database.sql`select 1 from messages where status in ('queued', 'sending')`;
    return rows.length === 0;
  }).catch((error: Error) => problems.push(error.message));
  // By then, unknown messages have had enough time to be resolved.
  await delay(10_000);
  for (const posted of posts) {
    const fate = await fateOf(world, posted);
    count(callers, summaryOf(await posted.answer));
    count(stored, fate.stored);
    const arrived = ['sent', 'delivered', 'read'].includes(fate.stored);
    if (arrived !== fate.delivered > 0)
      problems.push(`${posted.mark}: ${fate.stored}, delivered ${fate.delivered}`);
  }
  await checkAlways(world, posts, false).catch((error: Error) => problems.push(error.message));
  return { callers, stored, problems };
}
