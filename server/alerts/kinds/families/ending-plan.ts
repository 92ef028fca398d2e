import { sql } from 'drizzle-orm';
import { addDays, PLAN_WARN_DAYS, planState } from '#server/core/access.ts';
import type { Db } from '#server/platform/db/client.ts';
import { settings } from '#server/settings.ts';
import { type FoundAlert, newest, REPORTED_HOURS } from '../../queries/found.ts';
import { type AlertDescriptor, type Look, PAGES } from '../kind.ts';

const GRACE_WARN_DAYS = 3;
const NEWEST = newest('plan_7_days', 'plan_1_day', 'plan_grace', 'plan_ended');

interface EndingPlan {
  accountId: string;
  paidUntil: string;
  endedAt: Date | null;
  /** When sending stops, or stopped. */
  stopsAt: Date;
}

/** Plans that end soon, are in their grace, or ended recently, without those that were reported: most are. */
async function findEndingPlans(db: Db, { now, today }: Look): Promise<FoundAlert[]> {
  const { graceDays, timeZone } = settings;
  const plans = await db.run<EndingPlan>(sql`
    select s.account_id as "accountId", s.paid_until::text as "paidUntil", s.ended_at as "endedAt",
      -- A payment that was recorded for a past day ends the plan when it is recorded.
      coalesce(s.ended_at, greatest((s.paid_until + ${graceDays}::int + 1)::timestamp at time zone ${timeZone},
        (select max(p.created_at) from payments p where p.account_id = s.account_id and p.paid_until = s.paid_until))) as "stopsAt"
    from subscriptions s join accounts a on a.id = s.account_id
    where a.suspended_at is null and case
      when s.ended_at is not null then s.ended_at > clock_timestamp() - ${REPORTED_HOURS} * interval '1 hour'
      else s.paid_until between ${today}::date - ${graceDays}::int - 3 and ${today}::date + ${PLAN_WARN_DAYS}::int end`);
  const found = plans.flatMap((plan) => planAlert(plan, today, now) ?? []);
  const rows = await db.run<{ key: string }>(sql`
    select event_key as key from alerts where event_key = any(${sql.param(found.map(({ eventKey }) => eventKey))})`);
  const raised = new Set(rows.map(({ key }) => key));
  return found.filter(({ eventKey }) => !raised.has(eventKey));
}

/** A plan that somebody must pay, until it is paid or a later alert about its end takes the place of this one. */
export const ENDING_PLAN = {
  find: findEndingPlans,
  lasts: () => sql`${NEWEST} and exists (
    select from subscriptions s where s.account_id = a.account_id and s.ended_at is null and s.paid_until::text = a.facts ->> 'paidUntil')`,
  topic: 'plan',
  sign: { tone: 'warn', shape: 'clock' },
  page: PAGES.plan,
  customer: 'pays',
} as const satisfies AlertDescriptor;

/** The alert about a plan on `today`; null if there is none. */
function planAlert(plan: EndingPlan, today: string, now: Date): FoundAlert | null {
  const { accountId, paidUntil, endedAt, stopsAt } = plan;
  const state = planState({ paidUntil, ended: endedAt !== null }, today, settings.graceDays);
  const alert = (kind: FoundAlert['kind'], event: string, happenedAt: Date): FoundAlert => ({
    eventKey: `plan:${accountId}:${event}:${kind}`,
    accountId,
    numberId: null,
    kind,
    incident: null,
    facts: { paidUntil },
    happenedAt,
  });
  if (endedAt) return alert('plan_ended', endedAt.toISOString(), endedAt);
  if (state === 'expired') return alert('plan_ended', paidUntil, stopsAt);
  if (state === 'grace')
    return warnsInGrace(paidUntil, today) ? alert('plan_grace', `${paidUntil}:${today}`, now) : null;
  if (state !== 'active') return null;
  return alert(paidUntil <= addDays(today, 1) ? 'plan_1_day' : 'plan_7_days', paidUntil, now);
}

/** Whether `today` is the first day of grace or one of the last ones, however long the grace is. */
function warnsInGrace(paidUntil: string, today: string): boolean {
  const last = addDays(paidUntil, settings.graceDays);
  return today === addDays(paidUntil, 1) || today > addDays(last, -GRACE_WARN_DAYS);
}
