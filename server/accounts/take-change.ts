import { AppError } from '#server/core/errors.ts';
import { OUTCOMES } from '#server/core/outcomes.ts';
import type { InstallationContext } from '#server/platform/db/context.ts';
import { takeTokens } from '#server/platform/db/rate-buckets.ts';

/** More than anybody clicks, also with a whole list selected. Each change writes rows that stay for months. */
const OF_USER = { capacity: 300, perSecond: 1 };
const OF_ACCOUNT = { capacity: 600, perSecond: 2 };

/** Takes a change from the budgets of a user and of an account. Throws `rate_limited`. */
export async function takeChange(
  { database }: InstallationContext,
  { userId, accountId }: { userId?: string; accountId?: string },
): Promise<void> {
  const buckets = [
    ...(userId === undefined ? [] : [{ key: `changes:${userId}`, ...OF_USER }]),
    ...(accountId === undefined ? [] : [{ key: `changes:${accountId}`, ...OF_ACCOUNT }]),
  ];
  for (const bucket of buckets) {
    const { taken, tokens } = await takeTokens(database, bucket);
    if (taken) continue;
    const retryAfterSeconds = Math.max(1, Math.ceil((1 - tokens) / bucket.perSecond));
    throw new AppError('rate_limited', OUTCOMES.rate_limited.says.changes(retryAfterSeconds), {
      retryAfterSeconds,
    });
  }
}
