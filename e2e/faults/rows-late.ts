import { setTimeout as delay } from 'node:timers/promises';
import { atStep, STEPS } from './at-step.ts';
import type { FaultNumber } from './numbers.ts';
import { expectTrue, MANY_TIMES, type Posts, type Row, resolvedFate } from './row.ts';
import type { World } from './world.ts';

/**
 * The connection goes down while a message is at one step of its send, and returns after the send's deadline.
 * The page then sends its waiting messages without a request.
 */

/**
 * How long a message stays at its step while the connection goes down: shorter than the wait for an
 * acknowledgement if the page notices, longer if it does not.
 */
const AT_STEP_MS = { noticed: 1_200, silent: 3_600 };
/** Longer than the wait for an acknowledgement in these worlds. */
const DOWN_MS = 4_500;
const BACK_WITHIN_MS = 60_000;
/** A late message is sent within this time after the connection returns. */
const LATE_MS = 1_500;

/** Takes the connection down during a send; `meanwhile` runs while it is down. */
async function lateLeaver(
  world: World,
  number: FaultNumber,
  { posts, seed }: { posts: Posts; seed: number },
  meanwhile: () => Promise<unknown>,
): Promise<string> {
  const silently = Math.floor(seed / STEPS.length) % 2 === 1;
  const ms = silently ? AT_STEP_MS.silent : AT_STEP_MS.noticed;
  const { posted, stage } = await atStep(world, number, { posts, seed, ms });
  await world.transport.disconnect(number, { silently });
  try {
    await delay(DOWN_MS);
    await meanwhile();
  } finally {
    await world.transport.reconnect(number);
  }
  await posted.answer;
  await world.untilStatus(number, 'CONNECTED', BACK_WITHIN_MS);
  await resolvedFate(world, posted);
  await delay(LATE_MS);
  return `${silently ? 'silent' : 'lost'} at ${stage}: ${expectTrue(await resolvedFate(world, posted))}`;
}

export const LATE_ROWS: Row[] = [
  {
    name: 'line-down-late-leaver',
    fault: 'connection down while sending, back after the deadline',
    ...MANY_TIMES,
    async run(world, posts, seed) {
      return lateLeaver(world, await world.number(), { posts, seed }, async () => {});
    },
  },
  {
    name: 'line-down-worker-killed',
    fault: 'the same, and the worker is killed before the connection is back',
    ...MANY_TIMES,
    async run(world, posts, seed) {
      const number = await world.number();
      return lateLeaver(world, number, { posts, seed }, async () => {
        await world.worker.end('SIGKILL');
        await world.worker.start();
      });
    },
  },
  {
    name: 'line-down-worker-restarted',
    fault: 'the same, and the worker is restarted before the connection is back',
    ...MANY_TIMES,
    async run(world, posts, seed) {
      const number = await world.number();
      return lateLeaver(world, number, { posts, seed }, async () => {
        await world.worker.end('SIGTERM');
        await world.worker.start();
      });
    },
  },
];
