import { randomBytes } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { FaultNumber } from './numbers.ts';
import { expectFate, fateOf } from './oracle.ts';
import { type Posted, post, summaryOf } from './post.ts';
import { ACCEPTED, type Posts, type Row, withoutDefiniteFailures } from './row.ts';
import { until } from './until.ts';
import type { World } from './world.ts';

/** Many callers wait at once when their web process dies. */

const NUMBERS = 20;
const EACH = 11;
const WAITING_MIN = 200;
/** On a slow machine the first requests are answered before the last are admitted; the fault still happens. */
const ANSWERED_MAX = 12;
const TRIES_MAX = 10;
const AGAIN_MS = 500;

/** A program that posts with a key, and repeats what may be repeated, until it knows that its message was sent. */
interface Call {
  number: FaultNumber;
  idempotencyKey: string;
  /** Each of its requests. */
  tries: [Posted, ...Posted[]];
}

async function storedOn(world: World, calls: readonly Call[]): Promise<number> {
  const marks = calls.map(({ tries }) => tries[0].mark);
  const [row] = await world.database.sql<{ stored: number }[]>`
    select count(*)::int as stored from messages where content->>'body' = any(${marks})`;
  return row?.stored ?? 0;
}

/** Repeats a request until it is sent; the key prevents a second message. */
async function repeatUntilSent(world: World, call: Call, url: string, posts: Posts) {
  const { number, idempotencyKey, tries } = call;
  for (;;) {
    const answer = summaryOf(await (tries.at(-1) ?? tries[0]).answer);
    if (answer === '200') return;
    if (answer === '502 unknown' || tries.length > TRIES_MAX)
      throw new Error(`${tries[0].mark} was answered ${answer} at last`);
    if (tries.length > 1) await delay(AGAIN_MS);
    tries.push(posts(post(world, number, { idempotencyKey, again: tries[0], url })));
  }
}

export const WAITING_ROWS: Row[] = [
  {
    name: 'web-killed-over-many',
    fault: 'web killed while 200 requests wait, another one gets the retries by `Idempotency-Key`',
    duplicates: true,
    long: true,
    async run(world, posts) {
      const numbers: FaultNumber[] = [];
      for (let place = 0; place < NUMBERS; place++) numbers.push(await world.number(place));
      const other = await world.newWeb();
      await other.child.start();
      try {
        let answered = 0;
        const calls = Array.from({ length: NUMBERS * EACH }, (_, n): Call => {
          const number = numbers[n % NUMBERS] as FaultNumber;
          const idempotencyKey = randomBytes(8).toString('hex');
          const first = posts(post(world, number, { idempotencyKey }));
          void first.answer.then(() => {
            answered += 1;
          });
          return { number, idempotencyKey, tries: [first] };
        });
        await until(
          'all requests wait',
          async () => answered >= ANSWERED_MAX || (await storedOn(world, calls)) === calls.length,
        );
        await world.web.end('SIGKILL');
        const answers = await Promise.all(calls.map(({ tries }) => tries[0].answer));
        const lost = answers.filter((answer) => summaryOf(answer) === 'lost').length;
        if (lost < WAITING_MIN) throw new Error(`only ${lost} waited`);
        await Promise.all(calls.map((call) => repeatUntilSent(world, call, other.url, posts)));
        for (const { tries } of calls) {
          const fate = withoutDefiniteFailures(await fateOf(world, tries[0]));
          expectFate({ ...fate, callers: [] }, { callers: [], stored: ACCEPTED, delivered: [1] });
        }
        return 'lost, then 200 / sent / 1 each';
      } finally {
        await other.child.end('SIGTERM');
      }
    },
  },
];
