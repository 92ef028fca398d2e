import type { FaultNumber } from './numbers.ts';
import { type Posted, summaryOf } from './post.ts';
import { until } from './until.ts';
import { INTERVAL_MS, type World } from './world.ts';

/** The result of one logical message: what its callers saw, what is stored, how often it was delivered. */
export interface Fate {
  callers: string[];
  stored: string;
  delivered: number;
}

const ANSWERED_WITHIN_MS = 60_000;
/** With the engine's times lowered; 180 s with production times. */
const SETTLED_WITHIN_MS = 60_000;

interface StoredMessage {
  id: string;
  status: string;
  lane: string;
  dispatchedAt: Date | null;
}

export async function storedFor(world: World, { number, mark }: Posted): Promise<StoredMessage[]> {
  return world.database.sql<StoredMessage[]>`
    select id, status, lane, dispatched_at as "dispatchedAt" from messages
    where number_id = ${number.numberId} and (content->>'body' = ${mark} or content->>'caption' = ${mark})
    order by seq`;
}

export async function deliveredFor(world: World, { number, mark }: Posted): Promise<number> {
  return (await world.transport.inbox(number)).filter(({ body }) => body === mark).length;
}

/** Resolves with the result of a message once its callers are answered and its row has left the queue. */
export async function fateOf(world: World, posted: Posted, ...more: Posted[]): Promise<Fate> {
  const answers = await Promise.all([posted, ...more].map(({ answer }) => answer));
  await until(
    `no message of the request is left behind (${posted.mark})`,
    async () =>
      (await storedFor(world, posted)).every(
        ({ status, lane }) => lane === 'async' || (status !== 'queued' && status !== 'sending'),
      ),
    SETTLED_WITHIN_MS,
  );
  const stored = await storedFor(world, posted);
  return {
    callers: answers.map(summaryOf),
    stored: stored.map(({ status }) => status).join('+') || 'nothing',
    delivered: await deliveredFor(world, posted),
  };
}

/** Applies the checks of every row. Throws the violations. */
export async function checkAlways(
  world: World,
  posts: readonly Posted[],
  checkIntervals: boolean,
): Promise<void> {
  const problems: string[] = [];
  for (const posted of posts) {
    const { status, afterMs } = await posted.answer;
    const delivered = await deliveredFor(world, posted);
    const stored = await storedFor(world, posted);
    if (delivered > 1) problems.push(`${posted.mark} was delivered ${delivered} times`);
    if (status === 200 && delivered === 0) problems.push(`${posted.mark} was answered 200 and never arrived`);
    if (afterMs > ANSWERED_WITHIN_MS) problems.push(`${posted.mark} was answered after ${afterMs} ms`);
    for (const { id, status, lane } of stored)
      if (lane !== 'async' && (status === 'queued' || status === 'sending'))
        problems.push(`${id} is left ${status}`);
  }
  if (checkIntervals)
    for (const number of new Set(posts.map(({ number }) => number)))
      problems.push(...(await shortIntervals(world, number)));
  const complaint = world.transport.complaint();
  if (complaint) problems.push(complaint);
  if (problems.length > 0) throw new Error(problems.join('; '));
}

/** Dispatches of a number with too short an interval, by the database's clock. */
async function shortIntervals(world: World, { numberId }: FaultNumber): Promise<string[]> {
  const gaps = await world.database.sql<{ id: string; gapMs: number }[]>`
    select id, gap as "gapMs" from (
      select id, (extract(epoch from dispatched_at - lag(dispatched_at) over (order by dispatched_at)) * 1000)::float8 as gap
      from messages where number_id = ${numberId} and dispatched_at is not null) g
    where gap < ${INTERVAL_MS - 1}`;
  return gaps.map(({ id, gapMs }) => `${id} was dispatched ${gapMs} ms after the previous message`);
}

/** Asserts a result. Each field lists the allowed values. */
export function expectFate(
  fate: Fate,
  wanted: { callers: readonly string[]; stored: readonly string[]; delivered: readonly number[] },
): string {
  const seen = `${fate.callers.join(', ')} / ${fate.stored} / ${fate.delivered}`;
  const fits =
    fate.callers.every((caller) => wanted.callers.includes(caller)) &&
    wanted.stored.includes(fate.stored) &&
    wanted.delivered.includes(fate.delivered);
  if (!fits) {
    const { callers, stored, delivered } = wanted;
    throw new Error(
      `seen ${seen}; wanted ${callers.join('|')} / ${stored.join('|')} / ${delivered.join('|')}`,
    );
  }
  return seen;
}

/** Resolves when the message of a request has this state. */
export function untilStored(world: World, posted: Posted, status: string, withinMs = 30_000): Promise<void> {
  return until(
    `${posted.mark} is ${status}`,
    async () => (await storedFor(world, posted)).some((message) => message.status === status),
    withinMs,
  );
}

/** Delays the next slot by this much, but never by more than the interval. */
export async function delaySlot(world: World, { numberId }: FaultNumber, ms = INTERVAL_MS): Promise<void> {
  await world.database.sql`
    update leases set next_send_at = clock_timestamp() + ${ms} * interval '1 millisecond' where number_id = ${numberId}`;
}
