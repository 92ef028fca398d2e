import type { EngineSession } from '#server/core/engine.ts';
import type { Holding } from '#server/core/lease.ts';
import { isAgainstNumber } from '#server/core/new-contacts.ts';
import { personOf, type Recipient } from '#server/core/recipient.ts';
import { noteRefusal, writeHeard } from '#server/messages/queries/new-contacts.ts';
import { writeLimits } from '#server/numbers/queries/number-health.ts';
import type { Database } from '#server/platform/db/client.ts';
import type { Log } from '#server/platform/log.ts';
import { Throttle } from './throttle.ts';

interface HealthRecorderOptions {
  database: Database;
  log: Log;
  holding: Holding;
  session(): EngineSession | null;
  /** Messages that were held back may now be allowed, or the other way round. */
  onChange(): void;
}

/** WhatsApp's server is asked at most this often, however often it refuses. */
const ASK_EVERY_MS = 60_000;
/** A restriction is checked again this long after its end, and at the latest after `CHECK_MS_MAX`. */
const AFTER_END_MS = 2000;
const CHECK_MS_MAX = 6 * 3_600_000;

/** Stores WhatsApp's restrictions on a number, and the people who wrote to it. Its methods never reject. */
export class HealthRecorder {
  readonly #o: HealthRecorderOptions;
  readonly #asking = new Throttle(ASK_EVERY_MS, () => void this.read({ ask: true }));
  #timer: NodeJS.Timeout | undefined;
  /** Reads run one after the other, so that an earlier one cannot overwrite a later one. */
  #reading: Promise<void> = Promise.resolve();

  constructor(options: HealthRecorderOptions) {
    this.#o = options;
  }

  /** Reads the restrictions from the page; with `ask` the page asks the server first. */
  read({ ask = false } = {}): Promise<void> {
    this.#reading = this.#reading.then(() => this.#read(ask));
    return this.#reading;
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
      this.#scheduleCheck([limits.timelock?.until, limits.cap?.until]);
      onChange();
    } catch (error) {
      log.warn({ err: error }, 'the restrictions could not be read');
    }
  }

  /** WhatsApp refused a message. That alone proves no restriction, so the page asks the server. */
  async refused(recipient: Recipient | null, code: number | null): Promise<void> {
    if (!isAgainstNumber(code)) return;
    const { database, holding, log, onChange } = this.#o;
    try {
      if (recipient && (await noteRefusal(database, holding, { recipient }))) {
        log.warn('WhatsApp refused several first messages: messages to new people are paused');
        onChange();
      }
    } catch (error) {
      log.warn({ err: error }, 'a refusal could not be stored');
    }
    this.#asking.request();
  }

  /** Stores people who have written to the number. */
  async receivedFrom(digits: string[]): Promise<void> {
    const { database, holding, log, onChange } = this.#o;
    try {
      await writeHeard(database, holding, { people: digits.map(personOf) });
      onChange();
    } catch (error) {
      log.warn({ err: error }, 'people who wrote could not be stored');
    }
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#asking.stop();
  }

  #scheduleCheck(ends: (number | null | undefined)[]): void {
    clearTimeout(this.#timer);
    const known = ends.filter((end) => end !== undefined);
    if (known.length === 0) return;
    const untilMs = Math.min(
      ...known.map((end) => (end ?? 0) + AFTER_END_MS - Date.now()).filter((ms) => ms > 0),
      CHECK_MS_MAX,
    );
    this.#timer = setTimeout(() => void this.read({ ask: true }), untilMs).unref();
  }
}
