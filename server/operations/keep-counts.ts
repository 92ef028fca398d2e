import type { InstallationContext } from '#server/platform/db/context.ts';
import { deleteFact, findFact, putFact } from '#server/platform/db/facts.ts';
import { log } from '#server/platform/log.ts';
import { runPeriodically } from '#server/platform/run-periodically.ts';
import { settings } from '#server/settings.ts';
import {
  changeZone,
  foldDeltas,
  listCounted,
  listSlices,
  listStaleCounts,
  markCounted,
  recount,
  type StaleCounts,
} from './queries/message-counts.ts';

const FOLD_EVERY_MS = 5_000;
/** Another time zone of an account shows after this long at the latest. */
const COUNT_STALE_EVERY_MS = 30_000;
const BATCH = 5_000;
/** The fact that the last comparison found wrong counts: `{ at, corrected }`. */
export const COUNTS_DIFFERED = 'counts differed';

const TIME_ZONE = 'time_zone';
/** The zone of another process that this one has already reported. */
let reported: string | null = null;

/** Makes this process's time zone that of the installation's counts. Each start does this, and the last one decides. */
export async function putTimeZone({ database }: InstallationContext): Promise<void> {
  await putFact(database.db, { key: TIME_ZONE, value: settings.timeZone });
}

/** The zone in which all processes count accounts without their own, so that they do not recount in turns. */
async function timeZoneOfCounts({ database }: InstallationContext): Promise<string> {
  const timeZone = (await findFact(database.db, { key: TIME_ZONE })) ?? settings.timeZone;
  if (timeZone !== settings.timeZone && timeZone !== reported)
    log.warn(
      { ours: settings.timeZone, latest: timeZone },
      'TIME_ZONE differs from that of the process that started last: a plan ends at another time here. Set the same value for every process, then restart them',
    );
  reported = timeZone;
  return timeZone;
}

/** Adds what has changed to the kept counts, in one process at a time. Figures are exact before and after. */
export async function foldCounts({ database }: InstallationContext, { batch = BATCH } = {}): Promise<number> {
  let folded = 0;
  for (;;) {
    const moved = await foldDeltas(database, { limit: batch });
    folded += moved;
    if (moved < batch) return folded;
  }
}

/**
 * Counts the messages of all accounts that were not counted yet, or not in their current time zone. Safe to repeat,
 * to interrupt and to run concurrently, also while messages change.
 */
export async function countStale({ database }: InstallationContext): Promise<number> {
  const from = performance.now();
  const stale = await listStaleCounts(database, { timeZone: await timeZoneOfCounts({ database }) });
  for (const account of stale) {
    try {
      await changeZone(database, account);
      await count({ database }, account, { finished: false });
      await markCounted(database, account);
    } catch (error) {
      // The other accounts and the start need not wait for it. A worker tries again.
      log.warn({ err: error, accountId: account.accountId }, 'the messages of an account were not counted');
    }
  }
  if (stale.length > 0)
    log.info(
      { accounts: stale.length, tookMs: Math.round(performance.now() - from) },
      'counted the messages of accounts',
    );
  return stale.length;
}

/**
 * Compares the finished days of all accounts with their messages, corrects the counts that differ, and returns how
 * many did. That there were any is a bug, so it is logged and reported by `cli doctor`.
 */
export async function checkCounts({ database }: InstallationContext): Promise<number> {
  let corrected = 0;
  for (const account of await listCounted(database)) {
    const wrong = await count({ database }, account, { finished: true });
    if (wrong === 0) continue;
    corrected += wrong;
    log.warn({ accountId: account.accountId, corrected: wrong }, 'kept counts differed from the messages');
  }
  if (corrected === 0) await deleteFact(database.db, { key: COUNTS_DIFFERED });
  else
    await putFact(database.db, {
      key: COUNTS_DIFFERED,
      value: JSON.stringify({ at: new Date().toISOString(), corrected }),
    });
  return corrected;
}

async function count(
  { database }: InstallationContext,
  account: StaleCounts,
  { finished }: { finished: boolean },
): Promise<number> {
  let corrected = 0;
  for (const slice of await listSlices(database, { ...account, finished })) {
    const wrong = await recount(database, { ...account, ...slice });
    if (wrong === null) break;
    corrected += wrong;
  }
  return corrected;
}

/** Keeps the counts until stopped. Each worker does this, in case others have ended. */
export function watchCounts({ database }: InstallationContext): () => Promise<void> {
  const failed = 'counts could not be kept';
  const stops = [
    runPeriodically(() => foldCounts({ database }), { everyMs: FOLD_EVERY_MS, failed }),
    runPeriodically(() => countStale({ database }), { everyMs: COUNT_STALE_EVERY_MS, failed }),
  ];
  return async () => {
    await Promise.all(stops.map((stop) => stop()));
  };
}
