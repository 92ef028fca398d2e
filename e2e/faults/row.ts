import type { FaultNumber } from './numbers.ts';
import { expectFate, type Fate, fateOf } from './oracle.ts';
import type { Posted } from './post.ts';
import type { TransportName } from './transport.ts';
import { until } from './until.ts';
import type { World, WorldOptions } from './world.ts';

/** Takes a request down for the checks that hold whatever happens. */
export type Posts = (posted: Posted) => Posted;

/** One fault: sets up, breaks, and asserts what the caller saw, what is stored and what was delivered. */
export interface Row {
  /** For `--row`. */
  name: string;
  /** As the table of the product's promises names it. */
  fault: string;
  /** It could lead to a second delivery, so it is also run hundreds of times without a browser. */
  duplicates?: boolean;
  /** Where it makes sense; both by default. */
  transports?: readonly TransportName[];
  /** Too long for a run of all rows with every change. */
  long?: boolean;
  /** Where passes can run side by side in one world, each on a number of its own: see {@link Together}. */
  sideBySide?: readonly TransportName[];
  /** It needs the server's own files or all of its connections. */
  embedded?: true;
  /** What its world needs that no other has: each run has a world of its own. */
  ownWorld?: Pick<WorldOptions, 'databaseMib'>;
  /** It moves clocks, so gaps on the database's clock say nothing. */
  movesClock?: boolean;
  /**
   * Returns what was seen. `seed` counts the runs, so that variants take turns.
   */
  run(world: World, posts: Posts, seed: number): Promise<string>;
}

export const ANYWHERE: readonly TransportName[] = ['chromium', 'browserless'];

/** What a message that WhatsApp's server has can be. */
export const ACCEPTED = ['sent', 'delivered', 'read'] as const;

/** A fate without those before the last that were certainly not sent: their repeat is a new message, as it should be. */
export function withoutCertainFailures(fate: Fate): Fate {
  return { ...fate, stored: fate.stored.replace(/^((failed|expired|cancelled)\+)+/, '') };
}

/** A message that waited while its worker was away: sent once, or expired at its deadline and never sent. */
export function expectSentOrExpired(fate: Fate): string {
  const expired = fate.stored === 'expired';
  return expectFate(fate, {
    callers: expired ? ['409', '429'] : ['200'],
    stored: expired ? ['expired'] : ACCEPTED,
    delivered: [expired ? 0 : 1],
  });
}

/** Resolves when the ordered fault has struck. */
export async function struck(world: World, number: FaultNumber): Promise<void> {
  await until('the fault has struck', () => world.transport.struck(number));
}

/** After the page's own list has had its time to settle what is unknown. */
const SETTLES_WITHIN_MS = 20_000;

/** The fate of a message once it is in accordance with what was delivered. */
export async function settledFate(world: World, posted: Posted, ...more: Posted[]): Promise<Fate> {
  let fate = await fateOf(world, posted, ...more);
  await until(
    'what was delivered is settled',
    async () => {
      fate = await fateOf(world, posted, ...more);
      return fate.delivered === 0 || fate.stored !== 'unknown';
    },
    SETTLES_WITHIN_MS,
  );
  return fate;
}

/** Of a message whose way was broken: never a false "not sent", never a false 200, never two. */
export function expectTrue(fate: Fate): string {
  const [caller = ''] = fate.callers;
  const stored =
    fate.delivered > 0 ? ACCEPTED : caller === '502 not_sent' ? ['failed'] : ['unknown', 'failed'];
  return expectFate(fate, {
    callers: fate.delivered > 0 ? ['200', '502 unknown'] : ['502 unknown', '502 not_sent'],
    stored,
    delivered: [0, 1],
  });
}
