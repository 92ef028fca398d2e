import { planWorks } from '#server/core/access.ts';
import { previewOf } from '#server/messages/list-messages.ts';
import { planOf } from '#server/plans/plan-of.ts';
import type { AccountScope } from '#server/platform/db/context.ts';
import { countsTimeZone } from './account-settings.ts';
import {
  type Counts,
  countToday,
  findProgress,
  listTroubles,
  type Progress,
  type TroubleRow,
} from './queries/overview.ts';

const TROUBLE_DAYS = 7;
const TROUBLES_MAX = 5;

export interface Overview {
  /** What a new account has done to get started. */
  progress: Progress & { plan: boolean };
  /** Today's counts, for each number that has any. */
  numbers: (Counts & { numberId: string })[];
  /**
   * Messages that are unknown or failed, then waiting ones that expired or were cancelled, until they are sent
   * again or dismissed.
   */
  troubles: Trouble[];
  /** There are none, and some that failed or are unknown were sent again or dismissed. */
  handled: boolean;
}

export interface Trouble extends Omit<TroubleRow, 'content'> {
  /** Its line in a list; null once its content is erased, so that it cannot be sent again. */
  preview: string | null;
}

/** The figures of the overview page. Days are those of the account's time zone. */
export async function overview(scope: AccountScope): Promise<Overview> {
  const { accountId } = scope;
  const { db } = scope.database;
  const timeZone = await countsTimeZone(scope);
  const [plan, progress, numbers, troubles] = await Promise.all([
    planOf(scope),
    findProgress(db, { accountId }),
    countToday(db, { accountId, timeZone }),
    listTroubles(db, { accountId, days: TROUBLE_DAYS, limit: TROUBLES_MAX }),
  ]);
  const handled =
    troubles.length === 0 &&
    (await listTroubles(db, { accountId, days: TROUBLE_DAYS, limit: 1, handled: true })).length > 0;
  return {
    progress: { ...progress, plan: planWorks(plan.state) && !plan.suspended },
    numbers,
    troubles: troubles.map(({ content, ...row }) => ({ ...row, preview: previewOf(content) })),
    handled,
  };
}
