import { setTimeout as delay } from 'node:timers/promises';
import { reserve } from '#server/testing/sql.ts';
import type { FaultNumber } from './numbers.ts';
import { delaySlot, expectFate, type Fate, untilStored } from './oracle.ts';
import { type Posted, post, summaryOf } from './post.ts';
import {
  ACCEPTED,
  expectEither,
  expectNotDelivered,
  expectSent,
  MANY_TIMES,
  type Posts,
  type Row,
  resolvedFate,
} from './row.ts';
import { until } from './until.ts';
import { INTERVAL_MS, type World } from './world.ts';

/** Faults of the database, of the connections to it, and of clocks. */

const HOUR_MS = 3_600_000;
const NOTICED_WITHIN_MS = 15_000;
/** A lost notification delays a message by at most this. */
const LOST_DELAYS_MS_MAX = 2000;
/** What a caller may see of a request during which the database was lost. */
const INTERRUPTED = ['200', '503', '502 unknown'] as const;

export const DATABASE_ROWS: Row[] = [
  {
    name: 'database-restarted-waiting',
    fault: 'PostgreSQL restarted while messages wait',
    ...MANY_TIMES,
    async run(world, posts) {
      const number = await world.number();
      await delaySlot(world, number);
      const waiting = [posts(post(world, number)), posts(post(world, number))];
      for (const posted of waiting) await untilStored(world, posted, 'queued');
      await world.restartDatabase();
      const seen: string[] = [];
      for (const posted of waiting) seen.push(await interrupted(await resolvedFate(world, posted)));
      return seen.join('; ');
    },
  },
  {
    name: 'database-restarted-sending',
    fault: 'PostgreSQL restarted while a message is being sent',
    ...MANY_TIMES,
    async run(world, posts, seed) {
      const number = await world.number();
      const stage = (['wire', 'exists', 'after'] as const)[seed % 3] ?? 'wire';
      await world.transport.rule(number, { stage, action: 'late', ms: 1000 });
      const posted = posts(post(world, number));
      await untilStored(world, posted, 'sending');
      await world.restartDatabase();
      return `${stage}: ${await interrupted(await resolvedFate(world, posted))}`;
    },
  },
  {
    name: 'sent-row-lost',
    fault:
      'a failover loses the row of a message that was sent, and its caller repeats it with its `Idempotency-Key`',
    duplicates: true,
    async run(world, posts, seed) {
      const number = await world.number();
      const idempotencyKey = `order-${seed}-${number.numberId}`;
      const first = posts(post(world, number, { idempotencyKey }));
      await first.answer;
      await world.database.sql`delete from messages where number_id = ${number.numberId}`;
      const isNewWorker = seed % 2 === 1;
      if (isNewWorker) {
        await world.worker.end('SIGKILL');
        await world.worker.start();
        await world.untilStatus(number, 'CONNECTED');
      }
      return expectSent(world, posts(post(world, number, { again: first, idempotencyKey })));
    },
  },
  {
    name: 'table-locked',
    fault: 'another program locks the table of messages, then ends',
    async run(world, posts) {
      const number = await world.number();
      const holder = await reserve(world.database.pool);
      await holder`begin`;
      await holder`lock table messages in access exclusive mode`;
      const posted = posts(post(world, number));
      await until('the request waits for the lock', async () => {
        const [waiting] = await world.database.sql`
          select 1 from pg_locks where not granted and relation = 'messages'::regclass`;
        return waiting !== undefined;
      });
      holder.release();
      return interrupted(await resolvedFate(world, posted));
    },
  },
  {
    name: 'database-away',
    fault: 'PostgreSQL unavailable at the request',
    async run(world, posts) {
      const number = await world.number();
      world.lines.web.refusing = true;
      world.lines.web.cut();
      const posted = posts(post(world, number));
      const answer = await posted.answer;
      world.lines.web.restore();
      if (!answer.headers['retry-after']) throw new Error(`no Retry-After with ${summaryOf(answer)}`);
      const again = posts(post(world, number));
      await again.answer;
      return expectNotDelivered(world, posted, '503', 'nothing');
    },
  },
  {
    name: 'database-half-open-web',
    fault: "the web process's database connections half-open",
    ...MANY_TIMES,
    async run(world, posts) {
      const number = await world.number();
      world.lines.web.swallow();
      const posted = posts(post(world, number));
      const { afterMs } = await posted.answer;
      await until(
        'requests are served again',
        async () => {
          const answer = await posts(post(world, number)).answer;
          return answer.status === 200;
        },
        45_000,
      );
      const seen = await interrupted(await resolvedFate(world, posted));
      if (afterMs > 2 * NOTICED_WITHIN_MS) throw new Error(`answered after ${afterMs} ms`);
      return `${seen}, answered after ≤ ${Math.ceil(afterMs / 5000) * 5} s, serving again`;
    },
  },
  {
    name: 'database-half-open-worker',
    fault: "the worker's database connections half-open",
    ...MANY_TIMES,
    async run(world, posts) {
      const number = await world.number();
      const began = performance.now();
      world.lines.worker.swallow();
      const posted = posts(post(world, number));
      const fate = await resolvedFate(world, posted);
      await world.untilStatus(number, 'CONNECTED', 45_000);
      const after = posts(post(world, number));
      const then = await expectSent(world, after);
      const seen = isDefiniteFailure(fate)
        ? '502 not_sent / failed / 0'
        : expectFate(fate, {
            callers: ['200', '502 unknown', '409', '429'],
            stored: [...ACCEPTED, 'unknown', 'expired'],
            delivered: [0, 1],
          });
      return `${seen}; then ${then} (${Math.ceil((performance.now() - began) / 15_000) * 15} s)`;
    },
  },
  {
    name: 'notifications-dropped',
    fault: 'all notifications dropped',
    async run(world, posts) {
      const number = await world.number();
      // A notification that was already on its way must not wake the message.
      world.lines.web.dropNotifications = true;
      world.lines.worker.dropNotifications = true;
      await delay(INTERVAL_MS);
      const posted = posts(post(world, number));
      const { afterMs } = await posted.answer;
      const seen = await expectSent(world, posted);
      const at = await stepsOf(world, posted);
      const wokenMs = (at.slot_claimed ?? 0) - (at.accepted ?? 0);
      const answeredMs = posted.at + afterMs - (at.sent ?? 0);
      if (Math.max(wokenMs, answeredMs) > LOST_DELAYS_MS_MAX)
        throw new Error(`woken after ${wokenMs} ms, answered after ${answeredMs} ms`);
      return seen;
    },
  },
  ...[HOUR_MS, -HOUR_MS].flatMap((ms): Row[] => {
    const way = ms > 0 ? 'forwards' : 'back';
    return [
      {
        name: `worker-clock-${way}`,
        fault: `the worker's clock an hour ${way}`,
        ...MANY_TIMES,
        async run(world, posts) {
          const number = await world.number();
          world.worker.shiftClock(ms);
          return threeInARow(world, posts, number);
        },
      },
      {
        name: `database-clock-${way}`,
        fault: `the database's clock an hour ${way}`,
        ...MANY_TIMES,
        movesClock: true,
        async run(world, posts) {
          const number = await world.number();
          await expectSent(world, posts(post(world, number)));
          await world.moveDatabaseClock(ms);
          // An hour ahead every lease has expired; no number is connected until its lease is renewed.
          await world.untilStatus(number, 'CONNECTED', 45_000);
          const seen = await threeInARow(world, posts, number);
          await expectIntervals(world, number, 4);
          await world.moveDatabaseClock(0);
          return seen;
        },
      },
    ];
  }),
];

/** The time of each step of a message, in ms since the epoch. */
async function stepsOf(world: World, posted: Posted): Promise<Record<string, number>> {
  const rows = await world.database.sql<{ event: string; at: Date }[]>`
    select e.event, e.at from message_events e join messages m on m.id = e.message_id
    where m.content->>'body' = ${posted.mark}`;
  return Object.fromEntries(rows.map(({ event, at }) => [event, at.getTime()]));
}

/** A definite failure is a valid result: nothing was sent, and the caller knows it. */
const isDefiniteFailure = ({ callers, stored, delivered }: Fate) =>
  callers.every((caller) => caller === '502 not_sent') && stored === 'failed' && delivered === 0;

async function interrupted(fate: Fate): Promise<string> {
  if (isDefiniteFailure(fate)) return '502 not_sent / failed / 0';
  return expectEither(fate, INTERRUPTED, ['nothing', 'unknown', 'expired']);
}

async function threeInARow(world: World, posts: Posts, number: FaultNumber): Promise<string> {
  const all = [1, 2, 3].map(() => posts(post(world, number)));
  const seen: string[] = [];
  for (const posted of all) seen.push(await expectSent(world, posted));
  return seen.join('; ');
}

/** After the database's clock moved, only WhatsApp's clock shows the intervals of the last `count` messages. */
async function expectIntervals(world: World, number: FaultNumber, count: number): Promise<void> {
  const last = (await world.transport.inbox(number)).slice(-count).map(({ at }) => at);
  if (last.length < count) throw new Error(`only ${last.length} messages arrived`);
  for (const [n, at] of last.slice(1).entries()) {
    const apartMs = at - (last[n] ?? 0);
    if (apartMs < INTERVAL_MS) throw new Error(`two messages arrived ${apartMs} ms apart`);
  }
}
