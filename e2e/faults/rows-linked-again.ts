import { decideWaited } from '#server/numbers/decide-waited.ts';
import { ACTOR, type FaultNumber } from './numbers.ts';
import { delaySlot, expectFate, fateOf, storedFor } from './oracle.ts';
import { type Posted, post } from './post.ts';
import { ACCEPTED, expectSent, MANY_TIMES, type Posts, type Row } from './row.ts';
import { until } from './until.ts';
import type { World } from './world.ts';

/** A phone is unlinked while async messages wait, and is linked again. */

const WAITING = 4;

/** The messages that wait for a decision. The others were sent before the phone was unlinked. */
async function setAsideOf(world: World, number: FaultNumber, old: readonly Posted[]): Promise<Posted[]> {
  const rows = await world.database.sql<{ mark: string }[]>`
    select content->>'body' as mark from messages
    where number_id = ${number.numberId} and status = 'queued' and set_aside`;
  const marks = new Set(rows.map(({ mark }) => mark));
  return old.filter(({ mark }) => marks.has(mark));
}

async function expectSetAside(world: World, number: FaultNumber, aside: readonly Posted[]): Promise<void> {
  const now = await setAsideOf(world, number, aside);
  if (now.length !== aside.length) throw new Error(`${now.length} of ${aside.length} wait for the decision`);
}

async function untilFate(world: World, posted: Posted, wanted: (status?: string) => boolean): Promise<void> {
  await until(`${posted.mark} is settled`, async () => wanted((await storedFor(world, posted))[0]?.status));
}

/** Two users make the same decision at once. */
async function decideTwice(world: World, { numberId }: FaultNumber, send: boolean): Promise<number> {
  const decide = () => decideWaited({ ...world, actor: ACTOR }, { numberId, send });
  const [one, other] = await Promise.all([decide(), decide()]);
  return one.decided + other.decided;
}

export const LINKED_AGAIN_ROWS: Row[] = [
  {
    name: 'phone-linked-again',
    fault: 'phone unlinked and linked again, async messages waiting; then sent or discarded',
    ...MANY_TIMES,
    async run(world, posts, seed) {
      const number = await world.freshNumber();
      await delaySlot(world, number);
      const old = await waitAsync(world, number, posts);
      await world.transport.unlinkOnPhone(number);
      await world.untilStatus(number, 'LOGGED_OUT');
      await world.link(number);
      const aside = await setAsideOf(world, number, old);
      if (aside.length === 0) throw new Error('no message waited');

      // Before a decision new messages are sent at once, sync or async, and no others.
      const sync = await expectSent(world, posts(post(world, number)));
      const later = posts(post(world, number, { prefer: 'respond-async' }));
      await untilFate(world, later, (status) => status !== 'queued' && status !== 'sending');
      await expectSetAside(world, number, aside);
      if (seed % 4 >= 2) {
        await world.worker.end('SIGKILL');
        await world.worker.start();
        await world.untilStatus(number, 'CONNECTED');
        await expectSetAside(world, number, aside);
      }

      const send = seed % 2 === 0;
      const decided = await decideTwice(world, number, send);
      if (decided !== aside.length) throw new Error(`${decided} of ${aside.length} were decided`);
      const beside = posts(post(world, number));
      for (const posted of aside)
        await untilFate(world, posted, (status) =>
          send ? status !== 'queued' && status !== 'sending' : status === 'cancelled',
        );
      await expectSent(world, beside);
      const wanted = send
        ? { callers: ['202'], stored: ACCEPTED, delivered: [1] }
        : { callers: ['202'], stored: ['cancelled'], delivered: [0] };
      let seen = '';
      for (const posted of aside) seen = expectFate(await fateOf(world, posted), wanted);
      return `sync ${sync}; what waited ${seen}`;
    },
  },
];

async function waitAsync(world: World, number: FaultNumber, posts: Posts): Promise<Posted[]> {
  const old = Array.from({ length: WAITING }, () => posts(post(world, number, { prefer: 'respond-async' })));
  await Promise.all(old.map(({ answer }) => answer));
  return old;
}
