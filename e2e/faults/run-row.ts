import { setTimeout as delay } from 'node:timers/promises';
import { checkAlways } from './oracle.ts';
import { type Posted, summaryOf } from './post.ts';
import type { Row } from './row.ts';
import { startWorld, type World, type WorldOptions } from './world.ts';

export interface RowResult {
  row: string;
  seen: string | null;
  error: string | null;
  ms: number;
}

/** Runs a row once and checks what must hold always. Never rejects. */
export async function runRow(world: World, row: Row, seed: number): Promise<RowResult> {
  const posts: Posted[] = [];
  const began = performance.now();
  let seen: string | null = null;
  let error: string | null = null;
  try {
    await world.repair();
    seen = await row.run(
      world,
      (posted) => {
        posts.push(posted);
        return posted;
      },
      seed,
    );
    await checkAlways(world, posts, row.movesClock !== true);
    await world.repair();
  } catch (thrown) {
    const why = thrown instanceof Error ? thrown.message : String(thrown);
    error = `${why} ${await timelines(world, posts).catch(() => '')}`;
  }
  return { row: row.name, seen, error, ms: Math.round(performance.now() - began) };
}

/** As {@link runRow}, in a world of the row's own. */
export async function runInOwnWorld(
  options: Pick<WorldOptions, 'transport' | 'database'>,
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

/** What each request went through, for whoever looks into a failure. */
async function timelines(world: World, posts: readonly Posted[]): Promise<string> {
  const lines: string[] = [];
  for (const posted of posts) {
    const events = await world.database.sql<{ event: string; at: Date; lane: string }[]>`
      select e.event, e.at, m.lane from message_events e join messages m on m.id = e.message_id
      where m.number_id = ${posted.number.numberId} and (m.content->>'body' = ${posted.mark} or m.content->>'caption' = ${posted.mark})
      order by e.id`;
    const steps = events.map(({ event, at, lane }) => `${at.toISOString().slice(14, -1)} ${event} (${lane})`);
    lines.push(
      `${posted.mark} posted ${new Date(posted.at).toISOString().slice(14, -1)}: ${[...steps, await seenBy(posted)].join(', ')}`,
    );
  }
  return `[${lines.join('; ')}]`;
}

/** What its caller has been answered by now. */
async function seenBy({ answer }: Posted): Promise<string> {
  const seen = await Promise.race([answer, delay(0, null)]);
  return seen
    ? `${summaryOf(seen)} after ${Math.round(seen.afterMs)} ms: ${seen.error ?? 'success'}`
    : 'no answer yet';
}
