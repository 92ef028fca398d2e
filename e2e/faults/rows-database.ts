import { setTimeout as delay } from 'node:timers/promises';
import { delaySlot, expectFate, fateOf, untilStored } from './oracle.ts';
import { type Posted, post, summaryOf } from './post.ts';
import { ACCEPTED, ANYWHERE, type Posts, type Row, settledFate } from './row.ts';
import { until } from './until.ts';
import { INTERVAL_MS, type World } from './world.ts';

/** Faults of the database, of the line to it, and of clocks. */

const HOUR_MS = 3_600_000;
const NOTICED_WITHIN_MS = 15_000;
/** A lost notification costs at most this. */
const LOST_COSTS_MS_MAX = 2000;
/** What a caller may see of a request that the database was lost under. */
type Fate = Awaited<ReturnType<typeof fateOf>>;

const INTERRUPTED = ['200', '503', '502 unknown'] as const;

export const DATABASE_ROWS: Row[] = [
  {
    name: 'database-restarted-waiting',
    fault: 'PostgreSQL restarted while messages wait',
    duplicates: true,
    sideBySide: ANYWHERE,
    async run(world, posts) {
      const number = await world.number();
      await delaySlot(world, number);
      const waiting = [posts(post(world, number)), posts(post(world, number))];
      for (const posted of waiting) await untilStored(world, posted, 'queued');
      await world.restartDatabase();
      const seen: string[] = [];
      for (const posted of waiting) seen.push(await interrupted(await settledFate(world, posted)));
      return seen.join('; ');
    },
  },
  {
    name: 'database-restarted-sending',
    fault: 'PostgreSQL restarted while a message is being sent',
    duplicates: true,
    sideBySide: ANYWHERE,
    async run(world, posts, seed) {
      const number = await world.number();
      const stage = (['wire', 'exists', 'after'] as const)[seed % 3] ?? 'wire';
      await world.transport.rule(number, { stage, action: 'late', ms: 1000 });
      const posted = posts(post(world, number));
      await untilStored(world, posted, 'sending');
      await world.restartDatabase();
      return `${stage}: ${await interrupted(await settledFate(world, posted))}`;
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
      return expectFate(await fateOf(world, posted), {
        callers: ['503'],
        stored: ['nothing'],
        delivered: [0],
      });
    },
  },
  {
    name: 'database-half-open-web',
    fault: "the web process's database connections half-open",
    duplicates: true,
    sideBySide: ANYWHERE,
    async run(world, posts) {
      const number = await world.number();
      world.lines.web.swallow();
      const posted = posts(post(world, number));
      const { afterMs } = await posted.answer;
      const noticed = performance.now();
      await until(
        'requests are served again',
        async () => {
          const answer = await posts(post(world, number)).answer;
          return answer.status === 200;
        },
        45_000,
      );
      const seen = interrupted(await settledFate(world, posted));
      if (afterMs > 2 * NOTICED_WITHIN_MS) throw new Error(`answered after ${afterMs} ms`);
      return `${await seen}, answered after ≤ ${Math.ceil(afterMs / 5000) * 5} s, serving ${noticed > 0 ? 'again' : ''}`;
    },
  },
  {
    name: 'database-half-open-worker',
    fault: "the worker's database connections half-open",
    duplicates: true,
    sideBySide: ANYWHERE,
    async run(world, posts) {
      const number = await world.number();
      const began = performance.now();
      world.lines.worker.swallow();
      const posted = posts(post(world, number));
      const fate = await settledFate(world, posted);
      await world.untilStatus(number, 'CONNECTED', 45_000);
      const after = posts(post(world, number));
      const then = expectFate(await fateOf(world, after), {
        callers: ['200'],
        stored: ACCEPTED,
        delivered: [1],
      });
      const seen = isCertainFailure(fate)
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
      // A notification that was under way already must not help.
      world.lines.web.dropNotifications = true;
      world.lines.worker.dropNotifications = true;
      await delay(INTERVAL_MS);
      const posted = posts(post(world, number));
      const { afterMs } = await posted.answer;
      const seen = expectFate(await fateOf(world, posted), {
        callers: ['200'],
        stored: ACCEPTED,
        delivered: [1],
      });
      const at = await stepsOf(world, posted);
      const wokenMs = (at.slot_claimed ?? 0) - (at.accepted ?? 0);
      const answeredMs = posted.at + afterMs - (at.sent ?? 0);
      if (Math.max(wokenMs, answeredMs) > LOST_COSTS_MS_MAX)
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
        duplicates: true,
        sideBySide: ANYWHERE,
        async run(world, posts) {
          const number = await world.number();
          world.worker.shiftClock(ms);
          return threeInARow(world, posts, number);
        },
      },
      {
        name: `database-clock-${way}`,
        fault: `the database's clock an hour ${way}`,
        duplicates: true,
        movesClock: true,
        async run(world, posts) {
          const number = await world.number();
          const before = posts(post(world, number));
          await before.answer;
          await world.database.sql`update clock_offset set by = ${`${ms} milliseconds`}::interval`;
          // An hour ahead every lease has run out; until they are renewed nothing is connected.
          await world.untilStatus(number, 'CONNECTED', 45_000);
          const seen = await threeInARow(world, posts, number);
          await keptGaps(world, number);
          await world.database.sql`update clock_offset set by = '0'`;
          return seen;
        },
      },
    ];
  }),
];

/** When a message took each of its steps, in ms since the epoch. */
async function stepsOf(world: World, posted: Posted): Promise<Record<string, number>> {
  const rows = await world.database.sql<{ event: string; at: Date }[]>`
    select e.event, e.at from message_events e join messages m on m.id = e.message_id
    where m.content->>'body' = ${posted.mark}`;
  return Object.fromEntries(rows.map(({ event, at }) => [event, at.getTime()]));
}

/** A failure for certain is as good an answer as any: nothing has left, and the caller knows. */
const isCertainFailure = ({ callers, stored, delivered }: Fate) =>
  callers.every((caller) => caller === '502 not_sent') && stored === 'failed' && delivered === 0;

async function interrupted(fate: Fate): Promise<string> {
  if (isCertainFailure(fate)) return '502 not_sent / failed / 0';
  return expectFate(fate, {
    callers: INTERRUPTED,
    stored: fate.delivered > 0 ? ACCEPTED : ['nothing', 'unknown', 'expired'],
    delivered: [0, 1],
  });
}

type Numbered = Awaited<ReturnType<World['number']>>;

async function threeInARow(world: World, posts: Posts, number: Numbered): Promise<string> {
  const all = [1, 2, 3].map(() => posts(post(world, number)));
  const seen: string[] = [];
  for (const posted of all)
    seen.push(
      expectFate(await fateOf(world, posted), { callers: ['200'], stored: ACCEPTED, delivered: [1] }),
    );
  return seen.join('; ');
}

/** Where the database's clock was moved, WhatsApp's own shows whether the interval was kept. */
async function keptGaps(world: World, number: Numbered): Promise<void> {
  const inbox = await world.transport.inbox(number);
  const last = inbox.slice(-4).map(({ at }) => at);
  for (const [i, at] of last.entries()) {
    const gap = at - (last[i - 1] ?? Number.NEGATIVE_INFINITY);
    if (gap < INTERVAL_MS) throw new Error(`two messages arrived ${gap} ms apart`);
  }
}
