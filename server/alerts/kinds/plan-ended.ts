import { sql } from 'drizzle-orm';
import { settings } from '#server/settings.ts';
import { newest } from '../queries/found.ts';
import { CANCELLED_AFTER_SECONDS, planLoss } from '../queries/plan-loss.ts';
import { ENDING_PLAN } from './families/ending-plan.ts';
import type { AlertDescriptor } from './kind.ts';

export const planEnded: AlertDescriptor = {
  ...ENDING_PLAN,
  lasts: ({ today }) => sql`${newest('plan_ended')} and exists (
      select from subscriptions s where s.account_id = a.account_id
        and (s.ended_at is not null or s.paid_until + ${settings.graceDays}::int < ${today}::date))`,
  sign: { tone: 'fail', shape: 'clock' },
  counts: planLoss,
  // Its mail counts what was cancelled.
  mailDelaySeconds: CANCELLED_AFTER_SECONDS,
};
