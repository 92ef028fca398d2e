import { dayName } from '#app/_components/ui/time.tsx';

/** Today in the viewer's zone, `YYYY-MM-DD`. */
export const today = (now: Date = new Date()): string => dayName(now);

/** The same day some months later, or that month's last day if it is shorter. */
export function addMonths(date: string, months: number): string {
  const [year = 0, month = 1, dayOfMonth = 1] = date.split('-').map(Number);
  const last = new Date(Date.UTC(year, month - 1 + months + 1, 0));
  const at = new Date(
    Date.UTC(last.getUTCFullYear(), last.getUTCMonth(), Math.min(dayOfMonth, last.getUTCDate())),
  );
  return at.toISOString().slice(0, 10);
}

/** Some months after a plan's last day; from today if it has ended, or if there is none. */
export function monthsAfter(paidUntil: string | null, months: number, now: Date = new Date()): string {
  const start = today(now);
  return addMonths(paidUntil && paidUntil > start ? paidUntil : start, months);
}

/** Paid for longer than this, a plan probably has a mistyped year. */
const MONTHS_USUAL = 36;

/** Why a plan's new last day is probably a mistake; null if it is not. */
export function unusual(
  until: string,
  paidUntil: string | null,
  now: Date = new Date(),
): 'past' | 'earlier' | 'far' | null {
  if (until === '') return null;
  if (until < today(now)) return 'past';
  if (paidUntil !== null && until < paidUntil) return 'earlier';
  return until > monthsAfter(paidUntil, MONTHS_USUAL, now) ? 'far' : null;
}

/** Initial values of the plan form: what was requested, the current terms, or a month from today. */
export function proposedTerms(
  plan: { paidUntil: string | null; numbersIncluded: number },
  requested: number | null,
  now: Date = new Date(),
): { until: string; numbers: string } {
  return {
    until: plan.paidUntil ?? addMonths(today(now), 1),
    numbers: String(requested ?? (plan.numbersIncluded || 1)),
  };
}
