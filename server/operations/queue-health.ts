import { needsSomebody } from '#server/core/number-sign.ts';
import { NUMBER_STATUSES, shownStatus } from '#server/core/number-state.ts';
import type { Lane } from '#server/core/pacing/lanes.ts';
import { restoreWords } from '#server/core/restore-alert.ts';
import type { InstallationContext } from '#server/platform/db/context.ts';
import { judgeNumbers } from './judge-numbers.ts';
import { readFigures } from './queries/installation-figures.ts';
import {
  numbersAway,
  type OwnedNumber,
  type QueueFigures,
  readQueueFigures,
} from './queries/queue-health.ts';
import { findSearchWait, type SearchWait, waitsTooLong } from './queries/search-wait.ts';

/** A problem; `count` says how often it occurs. */
export type QueueTrouble =
  | 'no_worker' // nothing is sent
  | 'sync_late' // callers wait for longer than any of them may
  | 'overdue' // messages wait beyond their deadline
  | 'jobs_failed' // wake-ups or scheduled work that went wrong
  | 'not_listening' // processes that get no notifications and poll instead
  | 'search_waits'; // messages that do not come into the index of the search

interface NamedNumber {
  numberId: string;
  name: string;
  accountId: string;
  accountName: string;
}

const named = ({ numberId, label, phoneNumber, accountId, accountName }: OwnedNumber): NamedNumber => ({
  ...{ numberId, accountId, accountName },
  name: label || (phoneNumber ? `+${phoneNumber}` : 'Unnamed number'),
});

const namedMessages = ({ numbers, ...rest }: QueueFigures['undecided']) => ({
  ...rest,
  numbers: numbers.map((row) => ({ ...named(row), messages: row.messages })),
});

/** A sync message is answered within 40 s of its arrival, so one that waits longer is a problem. */
const SYNC_SECONDS_MAX = 60;

/** The state of the queues and their problems. */
export async function queueHealth({ database }: InstallationContext) {
  const [figures, { queues, numbers }, away, searchWait] = await Promise.all([
    readQueueFigures(database),
    readFigures(database),
    numbersAway(database),
    findSearchWait(database),
  ]);
  const lanes = (['sync', 'async'] as const).map(
    (lane) => queues.find((one) => one.lane === lane) ?? { lane, waiting: 0, oldestSeconds: 0 },
  );
  const { settled: _, undecided, unclear, stopped, restored, ...shown } = figures;
  const needPerson = NUMBER_STATUSES.filter((status) => needsSomebody({ status })).reduce(
    (sum, status) => sum + (numbers.get(status) ?? 0),
    0,
  );
  return {
    ...{ ...shown, lanes },
    /** Numbers that send nothing until a person acts, usually their owner. */
    needPerson,
    /** Some of them. */
    away: away.map((row) => ({ ...named(row), status: row.status })),
    /** Some number needs a person, and none is connected or about to be. */
    noneCanSend: !judgeNumbers(numbers).ok,
    /** Messages that wait for their owner's decision, and some of their numbers. */
    undecided: namedMessages(undecided),
    /** Messages that a restore left unknown, and some of their numbers. */
    unclear: namedMessages(unclear),
    /** Messages of the last hour that were cancelled because Wirebird stopped, and some of their numbers. */
    stopped: namedMessages(stopped),
    /** The restores and moves of the last day, the newest first, and what is still to do. */
    restored: restored.map((facts, n) =>
      // The newest one logged out all numbers.
      restoreWords(facts, { toLink: n === 0 ? needPerson : 0, unknown: unclear.messages }),
    ),
    /** Empty if there are no problems. */
    troubles: troublesOf(figures, lanes, searchWait),
    /** Database sessions that keep messages out of the index of the search. */
    searchWaitsFor: searchWait?.writers ?? [],
    deepest: figures.deepest.map((row) => ({
      ...named(row),
      status: shownStatus(row),
      held: row.held,
      waiting: row.waiting,
      oldestSeconds: row.oldestSeconds,
    })),
  };
}

function troublesOf(
  figures: QueueFigures,
  lanes: { lane: Lane; waiting: number; oldestSeconds: number }[],
  searchWait: SearchWait | null,
) {
  const sync = lanes.find(({ lane }) => lane === 'sync');
  const failed = figures.jobs
    .filter(({ state }) => state === 'failed' || state === 'retry')
    .reduce((sum, { count }) => sum + count, 0);
  const late = sync && sync.oldestSeconds > SYNC_SECONDS_MAX ? sync.waiting : 0;
  const found: { kind: QueueTrouble; count: number }[] = [
    { kind: 'no_worker', count: figures.workers === 0 ? 1 : 0 },
    { kind: 'sync_late', count: late },
    { kind: 'overdue', count: figures.overdue },
    { kind: 'jobs_failed', count: failed },
    { kind: 'not_listening', count: Math.max(0, figures.settled - figures.listening) },
    { kind: 'search_waits', count: waitsTooLong(searchWait) ? 1 : 0 },
  ];
  return found.filter(({ count }) => count > 0);
}
