import type { Cause } from '#server/core/number/cause.ts';
import type { FaultNumber } from './numbers.ts';
import { delaySlot, expectFate, type Fate, fateOf, untilStored } from './oracle.ts';
import { type Posted, post } from './post.ts';
import type { TransportName } from './transport.ts';
import { until } from './until.ts';
import type { World, WorldOptions } from './world.ts';

/** Records a request for the checks that apply to every row. */
export type Posts = (posted: Posted) => Posted;

/** One fault: sets up, breaks, and asserts what the caller saw, what is stored and what was delivered. */
export interface Row {
  /** For `--row`. */
  name: string;
  /** Its name in the table of results. */
  fault: string;
  /** It could cause a second delivery, so it also runs hundreds of times without a browser. */
  duplicates?: boolean;
  /** It could lose an event of a webhook, or change their order. */
  events?: boolean;
  /** The transports on which it makes sense; both by default. */
  transports?: readonly TransportName[];
  /** Too long for a run of all rows with every change. */
  long?: boolean;
  /** Passes can run side by side in one world, each with its own number: see {@link Together}. */
  sideBySide?: readonly TransportName[];
  /** How many numbers each pass uses; one by default. */
  numbers?: number;
  /** It needs the server's own files or all of its connections. */
  embedded?: true;
  /** It needs special options, so each run has its own world. */
  ownWorld?: Pick<WorldOptions, 'databaseMib'>;
  /** It moves clocks, so intervals by the database's clock prove nothing. */
  movesClock?: boolean;
  /** Returns the result. `seed` counts the runs, so that variants take turns. */
  run(world: World, posts: Posts, seed: number): Promise<string>;
}

export const ANYWHERE: readonly TransportName[] = ['chromium', 'browserless'];
/** A row that could cause a second delivery, and whose passes can share a world. */
export const MANY_TIMES = { duplicates: true, sideBySide: ANYWHERE } as const;

/** The possible states of a message that WhatsApp's server has. */
export const ACCEPTED = ['sent', 'delivered', 'read'] as const;

/** Checks that a message was answered 200 and delivered once. */
export async function expectSent(world: World, posted: Posted): Promise<string> {
  return expectFate(await fateOf(world, posted), { callers: ['200'], stored: ACCEPTED, delivered: [1] });
}

/** Checks that a message was never delivered: what its caller saw, and the states that it may have. */
export async function expectNotDelivered(
  world: World,
  posted: Posted,
  caller: string,
  ...stored: string[]
): Promise<string> {
  return expectFate(await fateOf(world, posted), { callers: [caller], stored, delivered: [0] });
}

/** Checks a message that may have been delivered; if not, it has one of the states in `otherwise`. */
export function expectEither(fate: Fate, callers: readonly string[], otherwise: readonly string[]): string {
  return expectFate(fate, {
    callers,
    stored: fate.delivered > 0 ? ACCEPTED : otherwise,
    delivered: [0, 1],
  });
}

/** The code of the cause of a number's state. */
export async function reasonOf(world: World, { numberId }: FaultNumber): Promise<Cause['code'] | null> {
  const [row] = await world.database.sql<{ reason: Cause['code'] | null }[]>`
    select cause ->> 'code' as reason from numbers where id = ${numberId}`;
  return row?.reason ?? null;
}

/** A message in the queue of a number whose next slot is one interval away. */
export async function postWaiting(
  world: World,
  posts: Posts,
  number: FaultNumber,
  how?: Parameters<typeof post>[2],
): Promise<Posted> {
  await world.allReady();
  await delaySlot(world, number);
  const posted = posts(post(world, number, how));
  await untilStored(world, posted, 'queued');
  return posted;
}

/** A result without earlier attempts that were definitely not sent: their repeat is rightly a new message. */
export function withoutDefiniteFailures(fate: Fate): Fate {
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

/** Resolves when the transport has caused the requested fault. */
export async function struck(world: World, number: FaultNumber): Promise<void> {
  await until('the fault has happened', () => world.transport.struck(number));
}

/** After the page's own list had time to resolve unknown messages. */
const RESOLVES_WITHIN_MS = 20_000;

/** The result of a message once its stored state agrees with the deliveries. */
export async function resolvedFate(world: World, posted: Posted, ...more: Posted[]): Promise<Fate> {
  let fate = await fateOf(world, posted, ...more);
  await until(
    'a delivered message is resolved',
    async () => {
      fate = await fateOf(world, posted, ...more);
      return fate.delivered === 0 || fate.stored !== 'unknown';
    },
    RESOLVES_WITHIN_MS,
  );
  return fate;
}

/** Checks an interrupted message: no false "not sent", no false 200, no second delivery. */
export function expectTrue(fate: Fate): string {
  const callers = fate.delivered > 0 ? ['200', '502 unknown'] : ['502 unknown', '502 not_sent'];
  return expectEither(fate, callers, fate.callers[0] === '502 not_sent' ? ['failed'] : ['unknown', 'failed']);
}
