/**
 * A model of what WhatsApp does to a number that writes to strangers. It follows what is known; every figure is
 * a guess (`docs/health.md`). Times in ms of virtual time.
 */

const HOUR = 3_600_000;
export const DAY = 24 * HOUR;

export const GUESSES = {
  /** Strangers in 24 hours without consequences on the first day of a link, and how many more each day. */
  freeOnDay0: 30,
  freeMorePerDay: 4,
  freeMost: 300,
  /** Above that, each further stranger causes a timelock with this probability. */
  lockBeyond: 0.02,
  /** This many reports by strangers within a week cause a timelock. */
  reportsToLock: 3,
  /** Timelocks in a row within a month, in hours. */
  lockHours: [24, 72, 168],
  /** This many messages within a day that are sent despite a restriction cause a ban of a day, then of a week. */
  refusalsToBan: 50,
  banHours: [24, 168],
  /** A stranger's message is refused alone, without any restriction. */
  refusedAlone: 0.01,
  /** First messages that nobody has answered, in a month. */
  capPerMonth: 1500,
} as const;

export type Verdict = 'taken' | 'timelock' | 'cap' | 'alone' | 'banned';

/** One number at WhatsApp. */
export class WhatsAppModel {
  readonly #random: () => number;
  readonly #reportRate: number;
  #firsts: number[] = [];
  #reports: number[] = [];
  #refusals: number[] = [];
  #locks: number[] = [];
  #bans = 0;
  lockedUntil = 0;
  bannedUntil = 0;
  /** Virtual time under a timelock, a used-up cap or a ban. */
  restrictedMs = 0;
  #unanswered = 0;
  #month = 0;

  constructor(random: () => number, reportRate: number) {
    this.#random = random;
    this.#reportRate = reportRate;
  }

  /** Until when its cap is used up; 0 while it is not. */
  cappedUntil(now: number): number {
    this.#turnMonth(now);
    return this.#unanswered >= GUESSES.capPerMonth ? (this.#month + 1) * 30 * DAY : 0;
  }

  /** A message arrives at the server. `stranger`: it is the first one to a person who never wrote. */
  receive(now: number, stranger: boolean): Verdict {
    if (now < this.bannedUntil) return 'banned';
    if (!stranger) return 'taken';
    if (now < this.lockedUntil) return this.#refuse(now, 'timelock');
    if (this.cappedUntil(now) > now) return this.#refuse(now, 'cap');
    if (this.#random() < GUESSES.refusedAlone) return 'alone';
    this.#firsts = [...this.#firsts.filter((at) => at > now - DAY), now];
    this.#unanswered += 1;
    if (this.cappedUntil(now) > now) this.restrictedMs += this.cappedUntil(now) - now;
    if (this.#random() < this.#reportRate)
      this.#reports = [...this.#reports.filter((at) => at > now - 7 * DAY), now];
    const free = Math.min(GUESSES.freeMost, GUESSES.freeOnDay0 + GUESSES.freeMorePerDay * (now / DAY));
    const beyond = this.#firsts.length > free && this.#random() < GUESSES.lockBeyond;
    if (beyond || this.#reports.length >= GUESSES.reportsToLock) this.#lock(now);
    return 'taken';
  }

  /** A stranger has answered: their message does not count against the cap. */
  answered(): void {
    this.#unanswered = Math.max(0, this.#unanswered - 1);
  }

  #refuse(now: number, verdict: Verdict): Verdict {
    this.#refusals = [...this.#refusals.filter((at) => at > now - DAY), now];
    if (this.#refusals.length < GUESSES.refusalsToBan) return verdict;
    this.#refusals = [];
    const hours = GUESSES.banHours[Math.min(this.#bans, GUESSES.banHours.length - 1)] ?? 24;
    this.#bans += 1;
    this.restrictedMs += Math.max(0, now + hours * HOUR - Math.max(now, this.lockedUntil));
    this.bannedUntil = now + hours * HOUR;
    return verdict;
  }

  #lock(now: number): void {
    this.#reports = [];
    this.#locks = [...this.#locks.filter((at) => at > now - 30 * DAY), now];
    const hours = GUESSES.lockHours[Math.min(this.#locks.length, GUESSES.lockHours.length) - 1] ?? 24;
    this.lockedUntil = now + hours * HOUR;
    this.restrictedMs += hours * HOUR;
  }

  #turnMonth(now: number): void {
    const month = Math.floor(now / (30 * DAY));
    if (month === this.#month) return;
    this.#month = month;
    this.#unanswered = 0;
  }
}
