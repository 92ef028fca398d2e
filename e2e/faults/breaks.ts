import type { ProcessEntry } from '#worker/engine/process-table.ts';
import { processesOf, profilePath } from '#worker/engine/profile.ts';
import type { FaultNumber } from './numbers.ts';
import { untilStored } from './oracle.ts';
import { post } from './post.ts';
import { expectEither, type Posts, resolvedFate, struck } from './row.ts';
import { until } from './until.ts';
import type { World } from './world.ts';

/** Breaks sessions, and waits until they are back. */

export const BACK_WITHIN_MS = 60_000;
/** An unclean end is noticed within this time. */
const NOTICED_WITHIN_MS = 15_000;

export function browserOf(world: World, { numberId }: FaultNumber): ProcessEntry[] {
  return processesOf(profilePath(world.dataDir, numberId));
}

export function kill(entries: ProcessEntry[], signal: NodeJS.Signals): void {
  for (const { pid } of entries) process.kill(pid, signal);
}

/** The browser process itself: neither a helper nor the wrapper script of a distribution. */
export const browsers = (entries: ProcessEntry[]) =>
  entries.filter(
    ({ pid, command }) =>
      !command.includes(' --type=') &&
      entries.some((e) => e.parent === pid && e.command.includes(' --type=')),
  );
export const renderers = (entries: ProcessEntry[]) =>
  entries.filter(({ command }) => command.includes(' --type=renderer '));

/** A message during its send: added to the page, given to the server, or accepted there without an answer. */
export async function duringSend(world: World, number: FaultNumber, seed: number, posts: Posts) {
  const stage = (['wire', 'after', 'add'] as const)[seed % 3] ?? 'wire';
  await world.transport.rule(number, { stage, action: 'hang' });
  const posted = posts(post(world, number));
  await untilStored(world, posted, 'sending');
  await struck(world, number);
  return { posted, stage };
}

/** How often a number lost its session. */
async function losses(world: World, { numberId }: FaultNumber): Promise<number> {
  const [row] = await world.database.sql<{ n: number }[]>`
    select count(*)::int as n from number_events where number_id = ${numberId} and status = 'RECONNECTING'`;
  return row?.n ?? 0;
}

/** Breaks a session, and resolves when its end is noticed. */
export async function untilNoticed(world: World, number: FaultNumber, strike: () => unknown): Promise<void> {
  const before = await losses(world, number);
  await strike();
  await until('the end is noticed', async () => (await losses(world, number)) > before, NOTICED_WITHIN_MS);
}

/** The end of a row whose session dies while sending. */
export async function unknownThenResolved(
  world: World,
  number: FaultNumber,
  sending: Awaited<ReturnType<typeof duringSend>>,
) {
  const { posted, stage } = sending;
  await posted.answer;
  await world.transport.clearRules(number);
  await world.untilStatus(number, 'CONNECTED', BACK_WITHIN_MS);
  const fate = await resolvedFate(world, posted);
  const seen = expectEither(fate, ['502 unknown'], ['unknown', 'failed']);
  return `${stage}: ${seen}`;
}
