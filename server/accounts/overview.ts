import { planWorks } from '#server/core/access.ts';
import { previewOf } from '#server/messages/list-messages.ts';
import { planOf } from '#server/plans/plan-of.ts';
import { planRequestOf } from '#server/plans/request-plan.ts';
import type { AccountScope } from '#server/platform/db/context.ts';
import { countsTimeZone } from './account-settings.ts';
import { countSentAgain, countToday, findProgress, listTroubles } from './queries/overview.ts';

const TROUBLE_DAYS = 7;
const TROUBLES_MAX = 5;
/** Of more messages a day it is not looked up which were sent again. */
const LOOKED_UP_MAX = 500;

/** The figures of the overview page. Days are those of the account's time zone. */
export async function overview(scope: AccountScope) {
  const { accountId } = scope;
  const { db } = scope.database;
  const timeZone = await countsTimeZone(scope);
  const [plan, request, progress, numbers, troubles] = await Promise.all([
    planOf(scope),
    planRequestOf(scope),
    findProgress(db, { accountId }),
    countToday(db, { accountId, timeZone }),
    listTroubles(db, { accountId, days: TROUBLE_DAYS, limit: TROUBLES_MAX }),
  ]);
  const notSent = numbers.reduce(
    (sum, { failed, unknown, expired, cancelled }) => sum + failed + unknown + expired + cancelled,
    0,
  );
  const sentAgain =
    notSent === 0 || notSent > LOOKED_UP_MAX ? null : await countSentAgain(db, { accountId, timeZone });
  const handled =
    troubles.length === 0 &&
    (await listTroubles(db, { accountId, days: TROUBLE_DAYS, limit: 1, handled: true })).length > 0;
  return {
    /** What a new account has done to get started. */
    progress: {
      ...progress,
      plan: planWorks(plan.state) && !plan.suspended,
      planRequested: request !== null,
    },
    /** Today's counts, for each number that has any. */
    numbers,
    /** How many of today's messages with such an outcome were sent again; null if there are none, or very many. */
    sentAgain,
    /**
     * Messages that are unknown or failed, then waiting ones that expired or were cancelled, until they are sent
     * again or dismissed. Without a preview once the content is erased, so that it cannot be sent again.
     */
    troubles: troubles.map(({ content, ...row }) => ({ ...row, preview: previewOf(content) })),
    /** There are none, and some that failed or are unknown were sent again or dismissed. */
    handled,
  };
}
