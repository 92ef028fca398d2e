import type { EngineSession } from '#server/core/engine.ts';
import type { Holding } from '#server/core/lease.ts';
import { isAgainstNumber } from '#server/core/new-contacts.ts';
import { personOf, type Recipient } from '#server/core/recipient.ts';
import { noteRefusal, writeHeard } from '#server/messages/queries/new-contacts.ts';
import { writeLimits } from '#server/numbers/queries/number-health.ts';
import type { Database } from '#server/platform/db/client.ts';
import type { Log } from '#server/platform/log.ts';
import { AtMostEvery } from './at-most-every.ts';

interface NumberHealthOptions {
  database: Database;
  log: Log;
  holding: Holding;
  session(): EngineSession | null;
  /** Messages that were kept back may leave now, or others may no longer. */
  onChange(): void;
}

/** WhatsApp's server is not asked more often than this, however much it refuses. */
const ASK_EVERY_MS = 60_000;
/** A restriction that ends is looked at again this much later, and at the latest after `LOOK_MS_MAX`. */
const AFTER_END_MS = 2000;
const LOOK_MS_MAX = 6 * 3_600_000;

/** Keeps what WhatsApp restricts on a number, and whom it knows, in the database. Its work never fails its caller. */
export class NumberHealth {
  readonly #o: NumberHealthOptions;
  readonly #asking = new AtMostEvery(ASK_EVERY_MS, () => void this.read({ ask: true }));
  #timer: NodeJS.Timeout | undefined;
  /** What is under way: a later look must not be overwritten by an earlier one. */
  #turn: Promise<void> = Promise.resolve();

  constructor(options: NumberHealthOptions) {
    this.#o = options;
  }

  /** Reads the restrictions in the page; with `ask` the page asks the server first. */
  read({ ask = false } = {}): Promise<void> {
    this.#turn = this.#turn.then(() => this.#read(ask));
    return this.#turn;
  }

  async #read(ask: boolean): Promise<void> {
    const { database, holding, log, session, onChange } = this.#o;
    const running = session();
    if (!running) return;
    try {
      const limits = await running.health({ ask });
      await writeLimits(database, holding, limits);
      if (limits.timelock || limits.cap || limits.checkpoint)
        log.info({ limits }, 'WhatsApp restricts this number');
      this.#lookAgain([limits.timelock?.until, limits.cap?.until]);
      onChange();
    } catch (error) {
      log.warn({ err: error }, 'what WhatsApp restricts could not be read');
    }
  }

  /** WhatsApp refused a message: one alone is no restriction, so the page asks what holds. */
  async refused(recipient: Recipient, code: number | null): Promise<void> {
    if (!isAgainstNumber(code)) return;
    const { database, holding, log, onChange } = this.#o;
    try {
      if (await noteRefusal(database, holding, { recipient })) {
        log.warn('WhatsApp refused several first messages: nobody new is written to for a while');
        onChange();
      }
    } catch (error) {
      log.warn({ err: error }, 'a refusal could not be noted');
    }
    this.#asking.request();
  }

  /** People who wrote. */
  async receivedFrom(digits: string[]): Promise<void> {
    const { database, holding, log, onChange } = this.#o;
    try {
      await writeHeard(database, holding, { people: digits.map(personOf) });
      onChange();
    } catch (error) {
      log.warn({ err: error }, 'who wrote could not be noted');
    }
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#asking.stop();
  }

  #lookAgain(ends: (number | null | undefined)[]): void {
    clearTimeout(this.#timer);
    const known = ends.filter((end) => end !== undefined);
    if (known.length === 0) return;
    const untilMs = Math.min(
      ...known.map((end) => (end ?? 0) + AFTER_END_MS - Date.now()).filter((ms) => ms > 0),
      LOOK_MS_MAX,
    );
    this.#timer = setTimeout(() => void this.read({ ask: true }), untilMs).unref();
  }
}
