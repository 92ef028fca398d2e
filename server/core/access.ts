import type { Network } from './number-state.ts';

/** The price that the 402 answer and the dashboard show. */
export const PLAN_PRICE_EUROS_PER_MONTH = 25;

/** What a plan for `count` numbers costs. Without a plan the count is 0, and the price is per number. */
export function planPriceText(price: number, count: number): string {
  if (count === 1) return `${price} euros a month, or ${price * 12} a year`;
  return count === 0
    ? `${price} euros a month for each number`
    : `${price * count} euros a month, or ${price * count * 12} a year, for ${count} numbers`;
}

interface Subscription {
  /** Last day paid for, `YYYY-MM-DD` in the installation's time zone, inclusive. */
  paidUntil: string;
  /** Ended by hand: immediately, without grace. */
  ended: boolean;
}

export type PlanState = 'none' | 'active' | 'grace' | 'expired' | 'ended';

/** What a running plan includes and until when it is paid; 0 and null without one that runs. */
export function runningTerms(of: { state: PlanState; numbersIncluded: number; paidUntil: string | null }): {
  numbersIncluded: number;
  paidUntil: string | null;
} {
  const { state, numbersIncluded, paidUntil } = of;
  const runs = state !== 'none' && state !== 'ended';
  return runs ? { numbersIncluded, paidUntil } : { numbersIncluded: 0, paidUntil: null };
}

/** Time zones differ from UTC by whole quarters of an hour, so neither their date nor their clock changes within one. */
const QUARTER_MS = 15 * 60_000;
/**
 * Cached for each zone: a request needs it more than once, and computing it costs more than all its other checks.
 */
function oncePerQuarter<T>(compute: (timeZone: string, now: Date) => T): (timeZone: string, now: Date) => T {
  const computed = new Map<string, { quarter: number; value: T }>();
  return (timeZone, now) => {
    const quarter = Math.floor(now.getTime() / QUARTER_MS);
    const last = computed.get(timeZone);
    if (last?.quarter === quarter) return last.value;
    const value = compute(timeZone, now);
    computed.set(timeZone, { quarter, value });
    return value;
  };
}

/** Today's date as `YYYY-MM-DD` in a time zone. */
export const dateIn = oncePerQuarter((timeZone, now) =>
  new Intl.DateTimeFormat('en-CA', { timeZone, dateStyle: 'short' }).format(now),
);

/** By how many minutes the clocks of a time zone are ahead of UTC. */
export const minutesAhead = oncePerQuarter((timeZone, now) => {
  const format = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' });
  const name = format.formatToParts(now).find(({ type }) => type === 'timeZoneName')?.value ?? '';
  const [, sign, hours = 0, minutes = 0] = /^GMT(?:([+-])(\d\d):(\d\d))?/.exec(name) ?? [];
  return (sign === '-' ? -1 : 1) * (Number(hours) * 60 + Number(minutes));
});

/** Adds whole days to a `YYYY-MM-DD` date. */
export function addDays(date: string, days: number): string {
  const at = new Date(`${date}T00:00:00Z`);
  at.setUTCDate(at.getUTCDate() + days);
  return at.toISOString().slice(0, 10);
}

/** The state of a plan on `today`. Paid until D includes D; the days of grace follow it. */
export function planState(subscription: Subscription | null, today: string, graceDays: number): PlanState {
  if (!subscription) return 'none';
  if (subscription.ended) return 'ended';
  if (today <= subscription.paidUntil) return 'active';
  return today <= addDays(subscription.paidUntil, graceDays) ? 'grace' : 'expired';
}

/** From this many days before its last paid day on, a plan ends soon: its owner is warned. */
export const PLAN_WARN_DAYS = 7;

/** Does a plan that still works end soon, unless a payment is recorded? Afterwards it is in its days of grace. */
export function planEndsSoon(state: PlanState, paidUntil: string | null, today: string): boolean {
  return state === 'active' && paidUntil !== null && paidUntil <= addDays(today, PLAN_WARN_DAYS);
}

/** After a plan has ended its linked sessions are kept alive for this long. */
export const LINK_KEPT_DAYS = 14;

/** May an account with this plan send? In the days of grace it may. */
export function planWorks(state: PlanState): state is 'active' | 'grace' {
  return state === 'active' || state === 'grace';
}

/** Whether the API serves a number: `ok`, or why not. */
export const ACCESS = ['ok', 'none', 'expired', 'ended', 'suspended', 'excess'] as const;
export type Access = (typeof ACCESS)[number];

/** The first reason wins: a suspended account, then its plan, then a number that the plan does not include. */
export function accessOf(of: { suspended: boolean; plan: PlanState; withinPlan: boolean }): Access {
  if (of.suspended) return 'suspended';
  if (!planWorks(of.plan)) return of.plan;
  return of.withinPlan ? 'ok' : 'excess';
}

/** Why no phone can be linked to a number without a working plan. */
export function linkingMessage(plan: 'none' | 'ended' | 'expired', network: Network): string {
  const ended = plan === 'none' ? '' : 'The plan of this account has ended. ';
  const phone = network === 'sandbox' ? 'a sandbox phone' : 'a real phone';
  return `${ended}Linking ${phone} needs a plan (${PLAN_PRICE_EUROS_PER_MONTH} euros a month for each number). See “Plan and usage” in the dashboard.`;
}

/** The sentence that a caller without access reads. */
export function accessMessage(reason: PlanState | 'suspended' | 'excess'): string {
  const how = `API access requires the plan (${PLAN_PRICE_EUROS_PER_MONTH} euros a month for each number). The administrator enables it after payment.`;
  switch (reason) {
    case 'suspended':
      return 'This account is suspended. Ask the administrator to resume it.';
    case 'excess':
      return 'The plan does not include this number. Choose in the dashboard which numbers stay active, or extend the plan.';
    case 'none':
      return `API access is not active for this account. ${how}`;
    case 'ended':
    case 'expired':
      return `The plan of this account has ended. ${how}`;
    case 'active':
    case 'grace':
      return how;
    default:
      return reason satisfies never;
  }
}
