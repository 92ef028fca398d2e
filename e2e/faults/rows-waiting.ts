import { randomBytes } from 'node:crypto';
import { expectFate, fateOf } from './oracle.ts';
import { type Posted, post, told } from './post.ts';
import { ACCEPTED, type Row } from './row.ts';
import { type FaultNumber, until, type World } from './world.ts';

/** Many callers wait at once when their web process dies. */

const NUMBERS = 16;
/** As many as a number takes before the last one's slot is too far ahead. */
const EACH = 16;
/** Of them all so many wait when it happens; the others were answered, or were not let in yet. */
const WAITING_MIN = 200;

async function waitingOn(world: World, numbers: readonly FaultNumber[]): Promise<number> {
  const ids = numbers.map(({ numberId }) => numberId);
  const [row] = await world.database.sql<{ waiting: number }[]>`
    select count(*)::int as waiting from messages where number_id = any(${ids}) and status = 'queued'`;
  return row?.waiting ?? 0;
}

export const WAITING_ROWS: Row[] = [
  {
    name: 'web-killed-over-many',
    fault: 'web killed while 200 requests wait, another takes the retries by Idempotency-Key',
    duplicates: true,
    long: true,
    async run(world, posts) {
      const numbers: FaultNumber[] = [];
      for (let place = 0; place < NUMBERS; place++) numbers.push(await world.number(place));
      const other = await world.newWeb();
      await other.child.start();
      try {
        const calls = numbers.flatMap((number) =>
          Array.from({ length: EACH }, () => {
            const idempotencyKey = randomBytes(8).toString('hex');
            return { number, idempotencyKey, first: posts(post(world, number, { idempotencyKey })) };
          }),
        );
        await until(
          `${WAITING_MIN} requests wait`,
          async () => (await waitingOn(world, numbers)) >= WAITING_MIN,
        );
        await world.web.end('SIGKILL');
        const lost: { first: Posted; again: Posted }[] = [];
        for (const { number, idempotencyKey, first } of calls) {
          const answer = told(await first.answer);
          if (answer === '200') continue;
          if (answer !== 'lost') throw new Error(`${first.mark} was answered ${answer}`);
          const again = posts(post(world, number, { idempotencyKey, again: first, url: other.url }));
          lost.push({ first, again });
        }
        for (const { first } of calls) {
          const retry = lost.find((one) => one.first === first);
          expectFate(await fateOf(world, first, ...(retry ? [retry.again] : [])), {
            callers: retry ? ['lost', '200'] : ['200'],
            stored: ACCEPTED,
            delivered: [1],
          });
          if (retry && told(await retry.again.answer) !== '200') throw new Error(`${first.mark} is lost`);
        }
        if (lost.length < WAITING_MIN - NUMBERS) throw new Error(`only ${lost.length} waited`);
        return 'lost, then 200 / sent / 1 each';
      } finally {
        await other.child.end('SIGTERM');
      }
    },
  },
];
