import { takeOverSession as tryAgain } from '#server/numbers/take-over-session.ts';
import { ACTOR, type FaultNumber } from './numbers.ts';
import type { World } from './world.ts';

/** A user takes back a number that was opened elsewhere or refused; resolves when it is connected. */
export async function takeBack(world: World, number: FaultNumber): Promise<void> {
  await tryAgain({ ...world, actor: ACTOR }, number);
  await world.untilStatus(number, 'CONNECTED');
}
