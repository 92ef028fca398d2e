import {
  KIND_REPEAT_MS,
  KIND_RETRY_MS,
  type KindState,
  kindStates,
  UNKNOWN_MAX,
} from '#server/core/build-kinds.ts';
import type { EngineSession } from '#server/core/engine.ts';
import type { Holding } from '#server/core/lease.ts';
import { MESSAGE_TYPES, type MessageType } from '#server/core/message.ts';
import type { Network } from '#server/core/number-state.ts';
import type { SendError, SendFailure } from '#server/core/send-failures.ts';
import {
  countUnknown,
  endTurn,
  listKinds,
  proveKind,
  takeTurns,
  writeKinds,
} from '#server/operations/queries/build-kinds.ts';
import type { Database } from '#server/platform/db/client.ts';
import type { Log } from '#server/platform/log.ts';

interface BuildKindsOptions {
  database: Database;
  log: Log;
  holding: Holding;
  network(): Network | null;
  /** The build of the current page; null before it is known. */
  version(): string | null;
  /** Between two tests of all kinds. */
  repeatMs?: number;
}

/** After a test that could not be made. */
const TEST_AGAIN_MS = 5_000;
/** Other numbers may have proven or tested a kind meanwhile. */
const READ_AGAIN_MS = 1_000;

/** Failures that speak against the page, and not against the message, its recipient or the line. */
const OF_PAGE: readonly SendFailure[] = ['page', 'draft', 'media', 'storage', 'timeout'];

/**
 * Which kinds of messages the number may send on its build. A kind that WhatsApp has acknowledged is free. Another one
 * must pass a test in the page, and then goes out one message at a time in the whole installation.
 */
export class BuildKinds {
  readonly #o: BuildKindsOptions;
  #states: Record<MessageType, KindState> | null = null;
  #turns: readonly MessageType[] = [];
  #readAtMs = Number.NEGATIVE_INFINITY;
  #timer: NodeJS.Timeout | undefined;

  constructor(options: BuildKindsOptions) {
    this.#o = options;
  }

  /** A session is connected: tests what is not known of its build, now and from time to time. */
  begin(session: EngineSession, onTested: () => void): void {
    const { repeatMs = KIND_REPEAT_MS } = this.#o;
    let testedAtMs = performance.now();
    const test = async (): Promise<number> => {
      try {
        const all = performance.now() - testedAtMs >= repeatMs;
        await this.#test(session, { all });
        if (all) testedAtMs = performance.now();
        onTested();
        return Math.min(KIND_RETRY_MS, repeatMs);
      } catch (error) {
        this.#o.log.warn({ err: error }, 'the kinds of messages could not be tested');
        return TEST_AGAIN_MS;
      }
    };
    const schedule = (ms: number) => {
      const timer = setTimeout(() => void test().then((next) => this.#timer === timer && schedule(next)), ms);
      timer.unref();
      this.#timer = timer;
    };
    this.stop();
    schedule(0);
  }

  /** The session is over. */
  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }

  /** Another session begins, which may have another build. */
  forget(): void {
    this.stop();
    this.#states = null;
    this.#readAtMs = Number.NEGATIVE_INFINITY;
  }

  /** The kinds that may be sent now; null: all. `fresh`: nothing could be sent just now, so look again. */
  async allowed({ fresh }: { fresh: boolean }): Promise<readonly MessageType[] | null> {
    if (this.#isAllProven() || this.#o.version() === null) return null;
    if (fresh || performance.now() - this.#readAtMs > READ_AGAIN_MS) await this.#read();
    const states = this.#states;
    if (states === null) return [];
    return this.#isAllProven()
      ? null
      : MESSAGE_TYPES.filter((type) => states[type] === 'proven' || this.#turns.includes(type));
  }

  /** A message of this kind certainly did not leave, or its outcome is unknown. One without an answer shows nothing yet. */
  async failed(type: MessageType, failure: SendError, waMessageId: string): Promise<void> {
    const [network, version] = [this.#o.network(), this.#o.version()];
    const isOfPage = OF_PAGE.includes(failure.reason);
    if (!network || version === null || !isOfPage || this.#states?.[type] === 'proven') return;
    const { db } = this.#o.database;
    const params = { network, version, kind: type, except: waMessageId };
    if (!failure.certain && (await countUnknown(db, params)) < UNKNOWN_MAX - 1) return;
    const found = [{ kind: type, failedCheck: failure.message.split('\n')[0] ?? '' }];
    await writeKinds(db, { network, holding: this.#o.holding }, { version, found });
    this.#o.log.error(
      { build: version, type, failure: failure.reason },
      'a kind of message fails on this build',
    );
    await this.#read();
  }

  /** WhatsApp acknowledged a message of this kind. */
  async acknowledged(type: MessageType, waMessageId: string): Promise<void> {
    const [network, version] = [this.#o.network(), this.#o.version()];
    if (!network || version === null || this.#states?.[type] === 'proven') return;
    await proveKind(this.#o.database.db, { network, holding: this.#o.holding }, { version, waMessageId });
    await this.#read();
  }

  /** A message of this kind has its outcome: others may try the kind. */
  async ended(type: MessageType): Promise<void> {
    const [network, version] = [this.#o.network(), this.#o.version()];
    if (!network || version === null || !this.#turns.includes(type)) return;
    this.#turns = this.#turns.filter((kind) => kind !== type);
    await endTurn(this.#o.database.db, { network, holding: this.#o.holding }, { version, kind: type });
  }

  #isAllProven(): boolean {
    const states = this.#states;
    return states !== null && MESSAGE_TYPES.every((type) => states[type] === 'proven');
  }

  async #test(session: EngineSession, { all }: { all: boolean }): Promise<void> {
    const [network, version] = [this.#o.network(), this.#o.version()];
    if (!network || version === null) return;
    const { db } = this.#o.database;
    const known = await listKinds(db, { network, version });
    const states = kindStates(known);
    const untested = MESSAGE_TYPES.filter((type) => states[type] === 'untested');
    const tested = all ? MESSAGE_TYPES : untested;
    if (tested.length > 0) {
      // Each build's files are uploaded by the number that tests it first.
      const upload = untested.length > 0 && !known.some(({ kind }) => untested.includes(kind));
      const results = await session.testKinds(tested, { upload });
      // A kind that passes again may have a message under way, whose turn stays.
      const found = tested
        .map((kind) => ({ kind, failedCheck: results[kind] ?? null }))
        .filter(({ kind, failedCheck }) => failedCheck !== null || untested.includes(kind));
      await writeKinds(db, { network, holding: this.#o.holding }, { version, found });
    }
    await this.#read();
  }

  async #read(): Promise<void> {
    const [network, version] = [this.#o.network(), this.#o.version()];
    if (!network || version === null) return;
    const { db } = this.#o.database;
    this.#readAtMs = performance.now();
    this.#states = kindStates(await listKinds(db, { network, version }));
    const hasTested = MESSAGE_TYPES.some((type) => this.#states?.[type] === 'tested');
    this.#turns = hasTested ? await takeTurns(db, { network, holding: this.#o.holding }, { version }) : [];
  }
}
