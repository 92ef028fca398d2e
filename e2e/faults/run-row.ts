import { setTimeout as delay } from 'node:timers/promises';
import { laneOf } from '#server/schema/lane.ts';
import { checkAlways } from './oracle.ts';
import { type Posted, summaryOf } from './post.ts';
import type { Row } from './row.ts';
import { shareOf, Together } from './together.ts';
import { startWorld, type World, type WorldOptions } from './world.ts';

export interface RowResult {
  row: string;
  seen: string | null;
  error: string | null;
  ms: number;
}

/** Runs a row once and applies the checks of every row. Never rejects. */
export async function runRow(world: World, row: Row, seed: number): Promise<RowResult> {
  const [result] = await runSideBySide(world, row, [seed]);
  if (!result) throw new Error('a run without a result');
  return result;
}

/** Runs a row once for each seed, all at the same time, each on its own number. Never rejects. */
export async function runSideBySide(world: World, row: Row, seeds: readonly number[]): Promise<RowResult[]> {
  const began = performance.now();
  const failed = await outcomeOf(async () => {
    await world.repair();
    await world.number(seeds.length * (row.numbers ?? 1) - 1);
  });
  const together = new Together(seeds.length);
  const results = await Promise.all(
    seeds.map(async (seed, place) => {
      if (failed) return failedAt(row, failed, began);
      if (seeds.length === 1) return runOnce(world, row, seed);
      return runOnce(shareOf(world, { place, of: seeds.length }, together), row, seed).finally(() =>
        together.leave(),
      );
    }),
  );
  const afterwards = await outcomeOf(() => world.repair());
  return results.map((result) => ({ ...result, error: result.error ?? afterwards }));
}

async function runOnce(world: World, row: Row, seed: number): Promise<RowResult> {
  const posts: Posted[] = [];
  const began = performance.now();
  let seen: string | null = null;
  const error = await outcomeOf(async () => {
    seen = await row.run(
      world,
      (posted) => {
        posts.push(posted);
        return posted;
      },
      seed,
    );
    await checkAlways(world, posts, row.movesClock !== true);
  });
  const explained = error === null ? null : `${error} ${await timelines(world, posts).catch(() => '')}`;
  return { row: row.name, seen, error: explained, ms: Math.round(performance.now() - began) };
}

const failedAt = (row: Row, error: string, began: number): RowResult => ({
  row: row.name,
  seen: null,
  error,
  ms: Math.round(performance.now() - began),
});

/** The error of `work`, or null. */
async function outcomeOf(work: () => Promise<void>): Promise<string | null> {
  try {
    await work();
    return null;
  } catch (thrown) {
    return thrown instanceof Error ? thrown.message : String(thrown);
  }
}

/** As {@link runRow}, in a separate world. */
export async function runInOwnWorld(
  options: Pick<WorldOptions, 'transport' | 'database' | 'keyField'>,
  row: Row,
  seed: number,
): Promise<RowResult> {
  const world = await startWorld({ ...options, ...row.ownWorld });
  try {
    return await runRow(world, row, seed);
  } finally {
    await world.stop();
  }
}

/** The timeline of each request, to explain a failure. */
async function timelines(world: World, posts: readonly Posted[]): Promise<string> {
  const lines: string[] = [];
  for (const posted of posts) {
    const events = await world.database.sql<{ event: string; at: Date; lane: string }[]>`
      select e.event, e.at, ${laneOf('m')} as lane from message_events e join messages m on m.id = e.message_id
      where m.number_id = ${posted.number.numberId} and (m.content->>'body' = ${posted.mark} or m.content->>'caption' = ${posted.mark})
      order by e.id`;
    const steps = events.map(({ event, at, lane }) => `${at.toISOString().slice(14, -1)} ${event} (${lane})`);
    lines.push(
      `${posted.mark} posted ${new Date(posted.at).toISOString().slice(14, -1)}: ${[...steps, await seenBy(posted)].join(', ')}`,
    );
  }
  return `[${lines.join('; ')}]`;
}

/** The answer that the caller has so far. */
async function seenBy({ answer }: Posted): Promise<string> {
  const seen = await Promise.race([answer, delay(0, null)]);
  return seen
    ? `${summaryOf(seen)} after ${Math.round(seen.afterMs)} ms: ${seen.error ?? 'success'}`
    : 'no answer yet';
}
