import {
  BUDGET_WINDOW_MS,
  budgetOn,
  NEW_CONTACTS_PER_DAY,
  PAUSES_REMEMBERED_MS,
  REFUSALS_TO_PAUSE,
  REFUSALS_WITHIN_MS,
  refusalPauseMs,
  waitForContact,
} from '#server/core/new-contacts.ts';
import { intervalMs, SEND_INTERVAL_SECONDS } from '#server/core/pacing/interval.ts';
import { ASYNC_DEADLINE_SECONDS } from '#server/core/pacing/waits.ts';
import { DAY, WhatsAppModel } from './health-model.ts';

/**
 * `nothing`: every message is sent, whatever WhatsApp says. `limits`: messages that WhatsApp's restrictions
 * forbid are refused before they leave. `protected`: the number's protection as well.
 */
export const WAYS = ['nothing', 'limits', 'protected'] as const;
export type Way = (typeof WAYS)[number];

/** A message that a business wants to send. */
export interface Wish {
  at: number;
  person: number;
}

export interface Business {
  /** The messages of a year, in order. */
  wishes(random: () => number): Wish[];
  /** Of new people, the shares that wrote first, that answer, and that report the message. */
  wroteFirst: number;
  answers: number;
  reports: number;
}

export interface Year {
  messages: number;
  sent: number;
  /** Sent more than an hour after the wanted time, and how late those were, in hours. */
  delayed: number;
  delayHoursMedian: number;
  delayHoursP95: number;
  /** Refused by us with 429, and by WhatsApp. A message may be refused several times. */
  refusedByUs: number;
  refusedByWhatsApp: number;
  /** Given up by the caller. */
  lost: number;
  daysRestricted: number;
  /** The most new people within 24 hours. */
  newPeopleMost: number;
}

/** How often and for how long a caller repeats a refused message. */
const TRIES = 5;
const GIVE_UP_MS = 3 * DAY;

interface Job extends Wish {
  wishedAt: number;
  tries: number;
  leaves: boolean;
  /** The job is at its slot. */
  slotted: boolean;
}

/** A year of a business on one number that is linked on day 0; all messages are async. */
export function simulateYear(business: Business, way: Way, random: () => number): Year {
  const server = new WhatsAppModel(random, business.reports);
  const known = new Set<number>();
  /** When each person is first written to, and these times in order. */
  const asked = new Map<number, number>();
  const taken: number[] = [];
  const refusals: number[] = [];
  const delays: number[] = [];
  const firsts: number[] = [];
  let pause = { at: Number.NEGATIVE_INFINITY, until: 0, count: 0 };
  let knownLock = 0;
  let nextSlot = 0;
  const year = { messages: 0, sent: 0, refusedByUs: 0, refusedByWhatsApp: 0, lost: 0 };
  const jobs = new Agenda(
    business
      .wishes(random)
      .map((wish) => ({ ...wish, wishedAt: wish.at, tries: 0, leaves: false, slotted: false })),
  );
  const met = new Set<number>();

  const again = (job: Job, at: number) => {
    const tries = job.tries + 1;
    if (tries >= TRIES || at - job.wishedAt > GIVE_UP_MS) year.lost += 1;
    else jobs.put({ ...job, at, tries, leaves: false, slotted: false });
  };

  const admit = (job: Job, now: number): void => {
    const own = asked.get(job.person);
    const counted = own !== undefined && own > now - BUDGET_WINDOW_MS;
    const budget = way === 'protected' && !counted ? budgetOn(now / DAY, NEW_CONTACTS_PER_DAY) : null;
    const free = known.has(job.person) || way === 'nothing';
    const { waitMs, limit } = waitForContact({
      timelockMs: knownLock - now,
      capMs: server.cappedUntil(now) - now,
      pauseMs: pause.until - now,
      budget,
      takenInMs: budget === null ? [] : lately(taken, now),
    });
    const wait = free ? 0 : Math.max(waitMs, counted ? own - now : 0);
    const theirs = limit === 'timelock' || limit === 'cap';
    if (wait > 0 && (theirs || wait >= ASYNC_DEADLINE_SECONDS * 1000)) {
      year.refusedByUs += 1;
      again(job, now + wait);
      return;
    }
    if (!free && !counted) {
      asked.set(job.person, now + wait);
      insert(taken, now + wait);
    }
    leaveAt(job, now + wait);
  };

  const pace = { sendIntervalSeconds: SEND_INTERVAL_SECONDS.default, protected: way === 'protected' };
  const drawMs = () => intervalMs(pace, pace.protected ? random() : 0);

  const leaveAt = (job: Job, at: number): void => {
    jobs.put({ ...job, at, leaves: true, slotted: false });
  };

  const leave = (job: Job, now: number): void => {
    const stranger = !known.has(job.person);
    // Held back at the claim, as in the product: it waits for the end, at most until its deadline.
    const closedUntil = stranger && way !== 'nothing' ? Math.max(knownLock, pause.until) : 0;
    const late = closedUntil - job.wishedAt > ASYNC_DEADLINE_SECONDS * 1000;
    if (now < nextSlot && !job.slotted) {
      jobs.put({ ...job, at: nextSlot, slotted: true });
      nextSlot += drawMs();
    } else if (now >= closedUntil) dispatch(job, now, stranger);
    else if (late) again(job, closedUntil);
    else leaveAt(job, closedUntil);
  };

  const dispatch = (job: Job, now: number, stranger: boolean): void => {
    nextSlot = Math.max(nextSlot, now + drawMs());
    const verdict = server.receive(now, stranger);
    // The page reports a timelock when it begins.
    knownLock = server.lockedUntil;
    if (verdict !== 'taken') {
      year.refusedByWhatsApp += 1;
      if (stranger && way === 'protected') noteRefusal(now);
      again(job, Math.max(now + DAY / 24, verdict === 'banned' ? server.bannedUntil : 0));
      return;
    }
    year.sent += 1;
    delays.push(now - job.wishedAt);
    if (!stranger) return;
    known.add(job.person);
    firsts.push(now);
    if (random() < business.answers) server.answered();
  };

  const noteRefusal = (now: number): void => {
    refusals.push(now);
    const since = Math.max(now - REFUSALS_WITHIN_MS, pause.at);
    if (refusals.filter((at) => at > since).length < REFUSALS_TO_PAUSE) return;
    const before = pause.at > now - PAUSES_REMEMBERED_MS ? pause.count : 0;
    pause = { at: now, until: now + refusalPauseMs(before), count: before + 1 };
  };

  for (let job = jobs.take(); job; job = jobs.take()) {
    if (job.leaves) leave(job, job.at);
    else {
      if (job.tries === 0) {
        year.messages += 1;
        if (!met.has(job.person) && random() < business.wroteFirst) known.add(job.person);
        met.add(job.person);
      }
      admit(job, job.at);
    }
  }
  const late = delays.filter((ms) => ms > DAY / 24).sort((a, b) => a - b);
  const hours = (share: number) =>
    Math.round(((late[Math.floor(late.length * share)] ?? 0) / DAY) * 240) / 10;
  return {
    ...year,
    delayed: late.length,
    delayHoursMedian: hours(0.5),
    delayHoursP95: hours(0.95),
    daysRestricted: Math.round((server.restrictedMs / DAY) * 10) / 10,
    newPeopleMost: mostInADay(firsts),
  };
}

/** Uses of the budget in the last 24 hours or later, as times from now, the latest first. */
function lately(taken: readonly number[], now: number): number[] {
  const found: number[] = [];
  for (let at = taken.length - 1; at >= 0; at--) {
    const time = taken[at] ?? 0;
    if (time <= now - BUDGET_WINDOW_MS) break;
    found.push(time - now);
  }
  return found;
}

function insert(times: number[], time: number): void {
  let at = times.length;
  while (at > 0 && (times[at - 1] ?? 0) > time) at--;
  times.splice(at, 0, time);
}

function mostInADay(times: readonly number[]): number {
  let most = 0;
  let from = 0;
  for (const [at, time] of times.entries()) {
    while ((times[from] ?? 0) <= time - DAY) from++;
    most = Math.max(most, at - from + 1);
  }
  return most;
}

/** Jobs by time; jobs of the same time in order of arrival. */
class Agenda {
  /** The next one last. */
  readonly #jobs: Job[];

  constructor(jobs: readonly Job[]) {
    this.#jobs = jobs.toReversed().sort((one, other) => other.at - one.at);
  }

  put(job: Job): void {
    let [from, to] = [0, this.#jobs.length];
    while (from < to) {
      const middle = (from + to) >> 1;
      if ((this.#jobs[middle]?.at ?? 0) > job.at) from = middle + 1;
      else to = middle;
    }
    this.#jobs.splice(from, 0, job);
  }

  take(): Job | undefined {
    return this.#jobs.pop();
  }
}
