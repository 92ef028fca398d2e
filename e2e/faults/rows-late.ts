import { setTimeout as delay } from 'node:timers/promises';
import { atStep, STEPS } from './at-step.ts';
import type { FaultNumber } from './numbers.ts';
import { ANYWHERE, expectTrue, type Posts, type Row, settledFate } from './row.ts';
import type { World } from './world.ts';

/**
 * The line goes down while a message is at one step of its way through the page, and comes back after the send's
 * deadline. What waits in a living page then leaves without a request.
 */

/**
 * A message stays at its step this long, in which the line goes down: less than an acknowledgement is waited for
 * where the page notices, and longer where it does not.
 */
const AT_STEP_MS = { noticed: 1_200, silent: 3_600 };
/** Longer than an acknowledgement is waited for in these worlds. */
const DOWN_MS = 4_500;
const BACK_WITHIN_MS = 60_000;
/** What leaves late does so within this time of the line's return. */
const LATE_MS = 1_500;

/** Takes the line down under a message; `meanwhile` happens while it is down. */
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
  await settledFate(world, posted);
  await delay(LATE_MS);
  return `${silently ? 'silent' : 'lost'} at ${stage}: ${expectTrue(await settledFate(world, posted))}`;
}

export const LATE_ROWS: Row[] = [
  {
    name: 'line-down-late-leaver',
    fault: 'connection down while sending, back after the deadline',
    duplicates: true,
    sideBySide: ANYWHERE,
    async run(world, posts, seed) {
      return lateLeaver(world, await world.number(), { posts, seed }, async () => {});
    },
  },
  {
    name: 'line-down-worker-killed',
    fault: 'the same, and the worker is killed before the line is back',
    duplicates: true,
    sideBySide: ANYWHERE,
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
    fault: 'the same, and the worker is restarted before the line is back',
    duplicates: true,
    sideBySide: ANYWHERE,
    async run(world, posts, seed) {
      const number = await world.number();
      return lateLeaver(world, number, { posts, seed }, async () => {
        await world.worker.end('SIGTERM');
        await world.worker.start();
      });
    },
  },
];
