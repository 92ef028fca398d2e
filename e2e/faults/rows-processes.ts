import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { enqueue } from '#server/platform/queue/boss.ts';
import type { DatabaseProxy } from './database-proxy.ts';
import { delaySlot, deliveredFor, expectFate, fateOf, storedFor, untilStored } from './oracle.ts';
import { type Posted, post } from './post.ts';
import {
  ACCEPTED,
  expectEither,
  expectNotDelivered,
  expectSent,
  expectSentOrExpired,
  MANY_TIMES,
  type Posts,
  postWaiting,
  type Row,
  resolvedFate,
  struck,
  withoutDefiniteFailures,
} from './row.ts';
import { until } from './until.ts';
import { INTERVAL_MS, type World } from './world.ts';

/** Faults of our own processes: killed at the worst moment, repeated jobs, callers that hang up. */

const isCommit = (statement: string) => /^commit/i.test(statement.trim());
const writesOutcome = (statement: string) =>
  /update messages m set status = \$\d+,\s+error_code/.test(statement);
const claims = (statement: string) => /set status = 'sending', wa_message_id/.test(statement);

/** Matches the commit of a claim, on the same connection. */
function commitOfClaim(): (statement: string, connection: object) => boolean {
  const claiming = new WeakSet<object>();
  return (statement, connection) => {
    if (claims(statement)) claiming.add(connection);
    return claiming.has(connection) && isCommit(statement);
  };
}

/** The time until the slot is free and the wake-ups of earlier messages are past. */
const QUIET_AFTER_MS = INTERVAL_MS + 500;

/** A request is admitted within this time. */
const EARLY_MS = 15;

/** Long enough for a message to reach the page's gate. */
const HELD_MS = 1500;

/** Runs `work` with the address of one more web process. */
async function withOtherWeb(world: World, work: (url: string) => Promise<string>): Promise<string> {
  const { child, url } = await world.newWeb();
  await child.start();
  try {
    return await work(url);
  } finally {
    await child.end('SIGTERM');
  }
}

/** The first caller was lost; the second gets the one message that was sent. */
async function expectOneSent(world: World, first: Posted, again: Posted): Promise<string> {
  return expectFate(withoutDefiniteFailures(await resolvedFate(world, first, again)), {
    callers: ['lost', '200', '502 unknown'],
    stored: ACCEPTED,
    delivered: [1],
  });
}

/** A caller hangs up before its message is sent, and posts the same to the web process at `url`. */
async function hangUpAndRepeat(
  world: World,
  posts: Posts,
  { afterMs = 1000, url }: { afterMs?: number; url?: string } = {},
): Promise<string> {
  const number = await world.number();
  await delaySlot(world, number);
  const first = posts(post(world, number));
  await delay(afterMs);
  first.hangUp();
  return expectOneSent(world, first, posts(post(world, number, { again: first, url })));
}

/** Kills the web process of a waiting message; posts the same to the one at `url`, or to the restarted one. */
async function killWebAndRepeat(
  world: World,
  posts: Posts,
  { url, ...how }: { url?: string; idempotencyKey?: string } = {},
): Promise<string> {
  const number = await world.number();
  const first = await postWaiting(world, posts, number, how);
  await world.web.end('SIGKILL');
  if (!url) await world.web.start();
  return expectOneSent(world, first, posts(post(world, number, { ...how, again: first, url })));
}

/** The worker's connection breaks before the answer to the selected statement; the message is still sent once. */
async function sendOverBrokenClaim(
  world: World,
  posts: Posts,
  breaks: Parameters<DatabaseProxy['await']>[0],
): Promise<string> {
  const number = await world.number();
  const reached = world.lines.worker.await(breaks, 'lose-answer');
  const posted = posts(post(world, number));
  await reached;
  return expectSent(world, posted);
}

export const PROCESS_ROWS: Row[] = [
  {
    name: 'web-killed-before-commit',
    fault: 'web killed before the commit',
    async run(world, posts) {
      const number = await world.number();
      const reached = world.lines.web.await(isCommit, 'hold');
      const posted = posts(post(world, number));
      await reached;
      await world.web.end('SIGKILL');
      world.lines.web.cut();
      await world.web.start();
      return expectNotDelivered(world, posted, 'lost', 'nothing');
    },
  },
  {
    name: 'commit-answer-lost',
    fault: 'the connection is lost while the admission commits',
    duplicates: true,
    async run(world, posts) {
      const number = await world.number();
      const reached = world.lines.web.await(isCommit, 'lose-answer');
      const posted = posts(post(world, number));
      await reached;
      return expectSent(world, posted);
    },
  },
  {
    name: 'web-killed-while-waiting',
    fault: 'web killed while a message waits; the same `Idempotency-Key` again',
    ...MANY_TIMES,
    run: (world, posts) => killWebAndRepeat(world, posts, { idempotencyKey: randomBytes(8).toString('hex') }),
  },
  {
    name: 'web-killed-repeat-without-key',
    fault: 'web killed while a message waits; repeated without a key',
    ...MANY_TIMES,
    run: (world, posts) => killWebAndRepeat(world, posts),
  },
  {
    name: 'hang-up',
    fault: 'the caller hangs up after 1 s and repeats without a key',
    ...MANY_TIMES,
    run: (world, posts) => hangUpAndRepeat(world, posts),
  },
  {
    name: 'hang-up-elsewhere',
    fault: 'the caller hangs up after 1 s and repeats at another web process, without a key',
    ...MANY_TIMES,
    run: (world, posts) => withOtherWeb(world, (url) => hangUpAndRepeat(world, posts, { url })),
  },
  {
    name: 'hang-up-early',
    fault: 'the caller hangs up within 15 ms, while its request is read or judged, and repeats without a key',
    ...MANY_TIMES,
    run: (world, posts) => hangUpAndRepeat(world, posts, { afterMs: Math.random() * EARLY_MS }),
  },
  {
    name: 'hang-up-early-elsewhere',
    fault: 'the caller hangs up within 15 ms and repeats at another web process, without a key',
    ...MANY_TIMES,
    run: (world, posts) =>
      withOtherWeb(world, (url) => hangUpAndRepeat(world, posts, { afterMs: Math.random() * EARLY_MS, url })),
  },
  {
    name: 'web-killed-repeat-elsewhere',
    fault: 'web killed while a message waits; repeated at another web process, without a key',
    ...MANY_TIMES,
    run: (world, posts) => withOtherWeb(world, (url) => killWebAndRepeat(world, posts, { url })),
  },
  {
    name: 'worker-killed-queued',
    fault: 'worker SIGKILL, message queued',
    ...MANY_TIMES,
    async run(world, posts) {
      const number = await world.number();
      const posted = await postWaiting(world, posts, number);
      await world.worker.end('SIGKILL');
      await world.worker.start();
      return expectSentOrExpired(await fateOf(world, posted));
    },
  },
  {
    name: 'worker-killed-claimed',
    fault: 'worker SIGKILL between claim and dispatch',
    ...MANY_TIMES,
    async run(world, posts) {
      const number = await world.number();
      await world.transport.rule(number, { stage: 'exists', action: 'hang' });
      const posted = posts(post(world, number));
      await untilStored(world, posted, 'sending');
      await world.worker.end('SIGKILL');
      await world.worker.start();
      await world.untilStatus(number, 'CONNECTED');
      return expectNotDelivered(world, posted, '502 unknown', 'unknown', 'failed');
    },
  },
  {
    name: 'worker-killed-dispatched',
    fault: 'worker SIGKILL between dispatch and ack',
    ...MANY_TIMES,
    async run(world, posts, seed) {
      const number = await world.number();
      const stage = (['wire', 'after', 'add', 'call'] as const)[seed % 4] ?? 'wire';
      await world.transport.rule(number, { stage, action: 'hang' });
      const posted = posts(post(world, number));
      await untilStored(world, posted, 'sending');
      await struck(world, number);
      await world.worker.end('SIGKILL');
      await world.transport.clearRules(number);
      await world.worker.start();
      await world.untilStatus(number, 'CONNECTED');
      const fate = await resolvedFate(world, posted);
      return `${stage}: ${expectEither(fate, ['502 unknown'], ['unknown', 'failed'])}`;
    },
  },
  {
    name: 'worker-killed-acked',
    fault: 'worker SIGKILL between ack and record',
    duplicates: true,
    async run(world, posts) {
      const number = await world.number();
      const reached = world.lines.worker.await(writesOutcome, 'hold');
      const posted = posts(post(world, number));
      await reached;
      await world.worker.end('SIGKILL');
      world.lines.worker.cut();
      await world.worker.start();
      await world.untilStatus(number, 'CONNECTED');
      return expectFate(await resolvedFate(world, posted), {
        callers: ['200', '502 unknown'],
        stored: ACCEPTED,
        delivered: [1],
      });
    },
  },
  {
    name: 'claim-answer-lost',
    fault: "the worker's connection is lost while it claims a slot",
    duplicates: true,
    run: (world, posts) => sendOverBrokenClaim(world, posts, claims),
  },
  {
    name: 'claim-commit-answer-lost',
    fault: "the worker's connection is lost while a claim commits and the page already has the message",
    duplicates: true,
    async run(world, posts) {
      await world.number();
      await delay(QUIET_AFTER_MS);
      return sendOverBrokenClaim(world, posts, commitOfClaim());
    },
  },
  {
    name: 'claim-commit-held',
    fault: 'the commit of a claim never reaches the database while the page already has the message',
    duplicates: true,
    async run(world, posts) {
      const number = await world.number();
      await delay(QUIET_AFTER_MS);
      const commits = commitOfClaim();
      // Each of them: a claim that finds nothing may come before the message's.
      world.lines.worker.judge = (...sent) => (commits(...sent) ? 'hold' : 'pass');
      const posted = posts(post(world, number));
      await untilStored(world, posted, 'queued');
      const free = () => world.database.sql`
        select id from messages where number_id = ${number.numberId} and status = 'queued' for update skip locked`;
      await until('its claim is held', async () => (await free()).length === 0);
      await delay(HELD_MS);
      const [stored] = await storedFor(world, posted);
      const delivered = await deliveredFor(world, posted);
      if (stored?.status !== 'queued' || delivered > 0)
        throw new Error(`the message did not wait for its claim: ${stored?.status} / ${delivered}`);
      world.lines.worker.restore();
      world.lines.worker.cut();
      return expectSent(world, posted);
    },
  },
  {
    name: 'job-five-times',
    fault: 'the job delivered five times',
    ...MANY_TIMES,
    async run(world, posts) {
      const number = await world.number();
      await delaySlot(world, number);
      const posted = posts(post(world, number));
      await until('the message is stored', async () => (await storedFor(world, posted)).length === 1);
      const { numberId } = number;
      for (let n = 0; n < 4; n++)
        await world.database.db.transaction((tx) => enqueue(world.boss, 'send', { numberId }, tx));
      return expectSent(world, posted);
    },
  },
];
