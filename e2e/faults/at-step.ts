import type { FaultNumber } from './numbers.ts';
import { untilStored } from './oracle.ts';
import { type Posted, post } from './post.ts';
import type { Posts } from './row.ts';
import { until } from './until.ts';
import type { World } from './world.ts';

/** The steps of a message through the page. */
export const STEPS = ['call', 'add', 'job', 'wire', 'after'] as const;

/** Shorter than the wait for an acknowledgement in these worlds. */
const AT_STEP_MS = 1_200;

/** Posts a message and resolves while it is held at one of the steps: each pass uses the next step. */
export async function atStep(
  world: World,
  number: FaultNumber,
  { posts, seed, ms = AT_STEP_MS }: { posts: Posts; seed: number; ms?: number },
): Promise<{ posted: Posted; stage: string }> {
  const stage = STEPS[seed % STEPS.length] ?? 'wire';
  await world.transport.rule(number, { stage, action: 'late', ms });
  const posted = posts(post(world, number));
  await untilStored(world, posted, 'sending');
  await until('the message is at its step', () => world.transport.struck(number));
  return { posted, stage };
}
