import { setTimeout as delay } from 'node:timers/promises';
import { waitsText } from '#server/operations/database-waits-text.ts';
import { type DatabaseWaits, findWaits, tryCommit } from '#server/operations/queries/database-waits.ts';
import type { Database } from '#server/platform/db/client.ts';
import { type Finding, wrong } from './findings.ts';

const LOOK_EVERY_MS = 1_000;

/** If nothing can be saved: what commits wait for. */
export async function checkCommit({ pool }: Database): Promise<Finding | null> {
  const waits = await tryCommit(pool);
  if (waits === null) return null;
  return (
    findingOf(waits) ??
    wrong(
      'database',
      'a trial did not commit within 2 s',
      'Read PostgreSQL’s log, and look at the load of its disk.',
    )
  );
}

/** What `look` finds or, as soon as sessions have waited for a lock for 2 s, for whom they wait. */
export async function untilStuck<T>({ bossPool }: Database, look: () => Promise<T>): Promise<T | Finding> {
  const ended = new AbortController();
  const stuck = async (): Promise<Finding> => {
    for (;;) {
      await delay(LOOK_EVERY_MS, undefined, { signal: ended.signal });
      const finding = findingOf(await findWaits(bossPool));
      if (finding) return finding;
    }
  };
  const watching = stuck();
  watching.catch(() => {});
  const looking = look();
  looking.catch(() => {});
  try {
    return await Promise.race([looking, watching]);
  } finally {
    ended.abort();
  }
}

function findingOf(waits: DatabaseWaits): Finding | null {
  const text = waitsText(waits);
  return text && wrong('database', text.found, text.todo);
}
