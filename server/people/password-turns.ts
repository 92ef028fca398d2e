import { addressBlock } from '#server/core/client-address.ts';
import { AppError } from '#server/core/errors.ts';
import { Pace, type PaceLimits } from '#server/platform/pace.ts';

/**
 * A user who checks more than a person does leaves the processor to others. People of one office share an address. What
 * strangers guess is limited by their wrong attempts.
 */
const OFTEN = { perSecond: 10, atOnce: 60, waitMsMax: 5_000 };
const PACES = {
  user: { perSecond: 2, atOnce: 5, waitMsMax: 5_000 },
  stranger: OFTEN,
  address: OFTEN,
} as const;
const RETRY_AFTER_SECONDS = 5;

/** Whose password is hashed, or for which address. */
export interface Turn {
  key: string;
  of: keyof typeof PACES;
}

/** The turns of a visitor's password. `known`: strangers use none of a user's turns where they signed in before. */
export function turnsOf(email: string, address: string | null, known = false): Turn[] {
  const user = `${known ? 'known' : 'unknown'} ${email.trim().toLowerCase()}`;
  return [
    { key: user, of: known ? 'user' : 'stranger' },
    { key: `address ${addressBlock(address)}`, of: 'address' },
  ];
}

interface Waiting {
  place: number;
  begin(): void;
}

/**
 * Runs a few at once, users and addresses in turn: each begins as far back as it has others in line already, so one
 * that comes rarely does not wait for one that comes often.
 */
export class PasswordTurns {
  readonly #atOnce: number;
  readonly #paces: Record<Turn['of'], Pace>;
  /** Of each turn in line: how many, and the place of the last. */
  readonly #lines = new Map<string, { count: number; place: number }>();
  /** By place, then by arrival. */
  readonly #waiting: Waiting[] = [];
  #running = 0;
  /** The place that began last, where newcomers start. */
  #place = 0;

  constructor(atOnce: number, paces: Record<Turn['of'], PaceLimits> = PACES) {
    this.#atOnce = atOnce;
    this.#paces = {
      user: new Pace(paces.user),
      stranger: new Pace(paces.stranger),
      address: new Pace(paces.address),
    };
  }

  /** Throws `rate_limited`, and does not run, if one of the turns has too many. */
  async run<T>(turns: readonly Turn[], work: () => Promise<T>): Promise<T> {
    const waitMs = this.#waitMs(turns);
    if (waitMs > 0) await new Promise((resolve) => setTimeout(resolve, waitMs));
    const place = this.#join(turns);
    try {
      await this.#turn(place);
      return await work();
    } finally {
      this.#leave(turns);
    }
  }

  #waitMs(turns: readonly Turn[]): number {
    const now = performance.now();
    const waits = turns.map(({ key, of }) => {
      const waitMs = this.#paces[of].take(key, now);
      if (waitMs === null) throw tooMany();
      return waitMs;
    });
    return Math.max(0, ...waits);
  }

  #join(turns: readonly Turn[]): number {
    let place = this.#place;
    for (const { key } of turns) {
      const line = this.#lines.get(key);
      if (line) place = Math.max(place, line.place + 1);
    }
    for (const { key } of turns)
      this.#lines.set(key, { count: (this.#lines.get(key)?.count ?? 0) + 1, place });
    return place;
  }

  #turn(place: number): Promise<void> | void {
    if (this.#running < this.#atOnce) {
      this.#running += 1;
      this.#place = Math.max(this.#place, place);
      return;
    }
    return new Promise((begin) => {
      const behind = this.#waiting.findLastIndex((waiting) => waiting.place <= place);
      this.#waiting.splice(behind + 1, 0, { place, begin });
    });
  }

  #leave(turns: readonly Turn[]): void {
    for (const { key } of turns) {
      const line = this.#lines.get(key);
      if (line && line.count > 1) line.count -= 1;
      else this.#lines.delete(key);
    }
    // The running place passes to the next in line, so `#running` changes only if none waits.
    const next = this.#waiting.shift();
    if (next) {
      this.#place = Math.max(this.#place, next.place);
      next.begin();
    } else this.#running -= 1;
  }
}

function tooMany(): AppError {
  return new AppError(
    'rate_limited',
    `Too many passwords are being checked at once. Wait ${RETRY_AFTER_SECONDS} s, then try again.`,
    { retryAfterSeconds: RETRY_AFTER_SECONDS },
  );
}
