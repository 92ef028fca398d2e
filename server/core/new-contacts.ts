/**
 * When a number may contact a new person: one it never wrote to and who never wrote to it. Times are in ms from
 * now. `docs/health.md` lists what is known of WhatsApp's limits and what is assumed.
 */

/** The number of new people in 24 hours, from this day of the link on. */
export interface BudgetStep {
  fromDay: number;
  perDay: number;
}

/**
 * WhatsApp publishes no limit. The first steps stay well below what operators of such services advise for a new
 * number (at most 50 a day for several days). The last step is the 250 people in 24 hours that Meta's own business
 * platform allows an unverified business.
 */
export const NEW_CONTACTS_PER_DAY: readonly BudgetStep[] = [
  { fromDay: 0, perDay: 10 },
  { fromDay: 3, perDay: 20 },
  { fromDay: 7, perDay: 40 },
  { fromDay: 14, perDay: 80 },
  { fromDay: 30, perDay: 150 },
  { fromDay: 90, perDay: 250 },
];

/** Parses `0:10,3:20`; null when it is no such table: days that rise from 0. */
export function parseBudget(text: string): BudgetStep[] | null {
  const steps: BudgetStep[] = [];
  for (const part of text.split(',')) {
    const [, day, perDay] = /^\s*(\d{1,4}):(\d{1,6})\s*$/.exec(part) ?? [];
    if (day === undefined || perDay === undefined) return null;
    const step = { fromDay: Number(day), perDay: Number(perDay) };
    if (step.perDay < 1 || (step.fromDay !== 0 && steps.length === 0)) return null;
    if (steps.some(({ fromDay }) => fromDay >= step.fromDay)) return null;
    steps.push(step);
  }
  return steps;
}

/** How many new people a number may contact in 24 hours, `linkDays` after its phone was linked. */
export function budgetOn(linkDays: number, steps: readonly BudgetStep[]): number {
  return steps.findLast(({ fromDay }) => fromDay <= linkDays)?.perDay ?? steps[0]?.perDay ?? 0;
}

export const BUDGET_WINDOW_MS = 24 * 3_600_000;
/** A restriction without a known end is checked again after this time. */
export const UNKNOWN_END_MS = 10 * 60_000;

/**
 * Why the number may not contact new people: WhatsApp's two limits, our pause after its refusals, and our budget.
 */
export type ContactLimit = 'timelock' | 'cap' | 'pause' | 'budget';

export interface ContactFacts {
  /** Time left of each restriction; null or negative if there is none. */
  timelockMs: number | null;
  capMs: number | null;
  pauseMs: number | null;
  /** Null when the number is not protected. */
  budget: number | null;
  /** When new people were contacted in the last 24 hours, or will be: times from now, the latest first. */
  takenInMs: readonly number[];
}

/** How long a message to a new contact waits, and the limit that ends last. */
export function waitForContact(facts: ContactFacts): { waitMs: number; limit: ContactLimit | null } {
  const waits: [ContactLimit, number][] = [
    ['timelock', facts.timelockMs ?? 0],
    ['cap', facts.capMs ?? 0],
    ['pause', facts.pauseMs ?? 0],
    ['budget', budgetWaitMs(facts)],
  ];
  let longest: { waitMs: number; limit: ContactLimit | null } = { waitMs: 0, limit: null };
  for (const [limit, waitMs] of waits) if (waitMs > longest.waitMs) longest = { waitMs, limit };
  return longest;
}

/** Until fewer people than the budget were contacted in 24 hours. Scheduled ones count. */
function budgetWaitMs({ budget, takenInMs }: ContactFacts): number {
  if (budget === null) return 0;
  const blocking = takenInMs[budget - 1];
  return blocking === undefined ? 0 : Math.max(0, blocking + BUDGET_WINDOW_MS);
}

/**
 * Codes of WhatsApp's server that concern how a number sends: reach-out (463), the cap for new chats (475), the
 * rate (429), and one without a known meaning (479). Others concern the message or the server.
 */
const REFUSALS_OF_THE_NUMBER = new Set([429, 463, 475, 479]);

/** Does a refusal concern the number? One without a code (null) may. */
export function isAgainstNumber(code: number | null): boolean {
  return code === null || REFUSALS_OF_THE_NUMBER.has(code);
}

/**
 * This many refusals of first messages within this time pause new contacts. A single one is no restriction yet.
 */
export const REFUSALS_TO_PAUSE = 3;
export const REFUSALS_WITHIN_MS = 3_600_000;
const PAUSES_MS = [1, 6, 24].map((hours) => hours * 3_600_000);
/** Older pauses do not lengthen the next one. */
export const PAUSES_REMEMBERED_MS = 7 * BUDGET_WINDOW_MS;

/** The pause after refusals, longer each time within a week. `before`: the pauses in that week. */
export function refusalPauseMs(before: number): number {
  return PAUSES_MS[Math.min(before, PAUSES_MS.length - 1)] ?? BUDGET_WINDOW_MS;
}

/** The first pause after WhatsApp stops answering look-ups, and the longest; each doubles. */
export const LOOK_UP_PAUSE_MS = 10 * 60_000;
export const LOOK_UP_PAUSE_MS_MAX = 6 * 3_600_000;

/** A point in time in a sentence, the same for every reader: `23 November 2026, 14:05 UTC`. */
export function inUtc(at: Date, { seconds = false } = {}): string {
  const text = new Intl.DateTimeFormat('en-GB', {
    timeZone: 'UTC',
    day: 'numeric',
    month: 'long',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    ...(seconds && { second: '2-digit' }),
  }).format(at);
  return `${text.replace(' at ', ', ')} UTC`;
}

/** Why a message to a new contact is refused, for its caller. */
export function contactRefusal(limit: ContactLimit, until: Date, budget: number | null): string {
  const known = 'Known people can still be contacted.';
  const end = inUtc(until);
  switch (limit) {
    case 'timelock':
      return `WhatsApp does not let this number start new conversations until ${end}. Nothing was sent. ${known}`;
    case 'cap':
      return `WhatsApp’s cap for new conversations of this number is used up until ${end}. Nothing was sent. ${known}`;
    case 'pause':
      return `WhatsApp has refused several first messages of this number, so it cannot contact new people until ${end}. Nothing was sent. ${known}`;
    case 'budget':
      return `This number is protected: it has contacted ${budget} new people in 24 hours, which is its limit. Nothing was sent. Retry at ${end}, or send with "Prefer: respond-async". ${known}`;
    default:
      return limit satisfies never;
  }
}
