import { planWorks } from '#server/core/access.ts';
import { planOf } from '#server/plans/plan-of.ts';
import type { AccountScope } from '#server/platform/db/context.ts';
import {
  type Counts,
  countDays,
  countHours,
  countToday,
  findProgress,
  listTroubles,
  type Progress,
  type TroubleRow,
} from './queries/overview.ts';

const HOURS = 24;
const DAYS = 30;
const TROUBLE_DAYS = 7;
const TROUBLES = 3;

interface NumberFigures extends Counts {
  numberId: string;
  /** Sent in each of the last 24 hours, oldest first. */
  hours: number[];
}

export interface Overview {
  /** The steps from a new account to its first message. */
  progress: Progress & { plan: boolean };
  /** Today and the last hours, for each number that sent anything. */
  numbers: NumberFigures[];
  /** The last 30 days on the real network, oldest first. */
  days: (Counts & { day: string })[];
  /** Messages that failed, are unknown or waited without being sent, latest first. */
  troubles: TroubleRow[];
}

/** The figures of the overview page. Days are those of `timeZone`. */
export async function overview(scope: AccountScope, { timeZone }: { timeZone: string }): Promise<Overview> {
  const { accountId } = scope;
  const { db } = scope.database;
  const [plan, progress, today, hours, days, troubles] = await Promise.all([
    planOf(scope),
    findProgress(db, { accountId }),
    countToday(db, { accountId, timeZone }),
    countHours(db, { accountId }),
    countDays(db, { accountId, timeZone, days: DAYS }),
    listTroubles(db, { accountId, days: TROUBLE_DAYS, limit: TROUBLES }),
  ]);
  const figures = new Map<string, NumberFigures>();
  const of = (numberId: string): NumberFigures => {
    const known = figures.get(numberId);
    if (known) return known;
    const none = {
      numberId,
      sent: 0,
      delivered: 0,
      failed: 0,
      unknown: 0,
      hours: Array<number>(HOURS).fill(0),
    };
    figures.set(numberId, none);
    return none;
  };
  for (const row of today) Object.assign(of(row.numberId), row);
  for (const { numberId, hoursAgo, sent } of hours) of(numberId).hours[HOURS - 1 - hoursAgo] = sent;
  return {
    progress: { ...progress, plan: planWorks(plan.state) && !plan.suspended },
    numbers: [...figures.values()],
    days,
    troubles,
  };
}
