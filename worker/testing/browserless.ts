import { buildChangedReason } from '#server/core/build-changed.ts';
import {
  BUILD_LEFT,
  type Engine,
  type EngineSession,
  type EngineState,
  type Group,
  type NumberLimits,
  type Outgoing,
  SendError,
  type SessionEvents,
  type SessionOptions,
} from '#server/core/engine.ts';
import { logoutCause } from '#server/core/logout-cause.ts';

/** What the next send does instead of being acknowledged; a number is the code with which it is refused. */
export type Behaviour =
  | number
  | 'refuse'
  | 'encrypt'
  | 'silence'
  | 'throw'
  | 'drop'
  | 'crash'
  | 'late'
  | 'hang';

export interface Delivered {
  numberId: string;
  waMessageId: string;
  chatId: string;
  content: Outgoing['content'];
  atMs: number;
}

/**
 * A WhatsApp without browser and page, for tests and benchmarks of everything above the engine's port: who
 * is linked, what was delivered (each id once), and what goes wrong next.
 */
export class BrowserlessNetwork {
  readonly delivered: Delivered[] = [];
  readonly absent = new Set<string>();
  /** Whom the pages can write to without a look-up. */
  readonly addressable = new Set<string>();
  /** Look-ups so far, and whether they are refused: too many were made. */
  lookUps = 0;
  lookUpsRefused = false;
  /** What each number would list; without an entry listing fails. */
  readonly groups = new Map<string, Group[]>();
  readonly #sessions = new Map<string, BrowserlessSession>();
  readonly #phones = new Map<string, string>();
  readonly #refusals = new Map<string, EngineState>();
  readonly #next = new Map<string, Behaviour[]>();
  /** Times that an id arrived again. Must stay 0. */
  repeats = 0;
  ackMs = 1;
  /** What WhatsApp restricts on each number. */
  readonly #limits = new Map<string, NumberLimits>();
  /** Sessions that answer no probe, and whose phone does not learn of an unlinking. */
  readonly mute = new Set<string>();
  /** The version of the build that the site serves. */
  build = 'browserless';
  /** Builds whose self-test finds this changed. */
  readonly brokenBuilds = new Map<string, string>();
  /** Builds whose scripts the site no longer serves. */
  readonly withdrawnBuilds = new Set<string>();

  engine(): Engine {
    return {
      open: (options, events) => new BrowserlessSession(this, options, events),
    };
  }

  /** The phone scans the code that a number shows. */
  scan(numberId: string, phone: string): void {
    this.#phones.set(numberId, phone);
    this.#sessions.get(numberId)?.linked(phone);
  }

  /** The number was linked in an earlier life. */
  link(numberId: string, phone: string): void {
    this.#phones.set(numberId, phone);
  }

  /** The device is removed on the phone. */
  unlink(numberId: string, reason: string | null = null): void {
    this.#phones.delete(numberId);
    this.#sessions.get(numberId)?.tell({ state: 'logged_out', cause: logoutCause(reason) });
  }

  /** The session that is open for a number. */
  sessionOf(numberId: string): EngineSession | undefined {
    return this.#sessions.get(numberId);
  }

  isOpen(numberId: string): boolean {
    return this.#sessions.has(numberId);
  }

  /** The browser dies; the next one is not to be started before `pauseMs`. */
  kill(numberId: string, { words, pauseMs }: { words?: string; pauseMs?: number } = {}): void {
    this.#sessions.get(numberId)?.tell({
      state: 'gone',
      reason: 'killed',
      ...(words === undefined ? {} : { words }),
      ...(pauseMs === undefined ? {} : { pauseMs }),
    });
    this.#sessions.delete(numberId);
  }

  /** The number's next session says this in place of being ready. */
  refuseNext(numberId: string, state: EngineState): void {
    this.#refusals.set(numberId, state);
  }

  takeRefusal(numberId: string): EngineState | undefined {
    const refusal = this.#refusals.get(numberId);
    this.#refusals.delete(numberId);
    return refusal;
  }

  /** WhatsApp refuses the number, until then or until a person acts. */
  block(numberId: string, reason: string, until: number | null): void {
    this.#sessions.get(numberId)?.tell({ state: 'blocked', reason, until });
  }

  /** The page loses its line, and says so. */
  lineDown(numberId: string, reason: string): void {
    this.#sessions.get(numberId)?.tell({ state: 'waiting', reason });
  }

  /** The page's line is back. */
  lineUp(numberId: string): void {
    const phone = this.#phones.get(numberId);
    if (phone !== undefined) this.#sessions.get(numberId)?.ready(phone);
  }

  conflict(numberId: string): void {
    this.#sessions.get(numberId)?.tell({ state: 'conflict' });
  }

  /** WhatsApp restricts a number, or no longer does. */
  restrict(numberId: string, limits: Partial<NumberLimits>, { silently = false } = {}): void {
    this.#limits.set(numberId, { ...this.limitsOf(numberId), ...limits });
    if (!silently) this.#sessions.get(numberId)?.limitsChanged();
  }

  limitsOf(numberId: string): NumberLimits {
    return this.#limits.get(numberId) ?? { timelock: null, cap: null, checkpoint: null };
  }

  /** Somebody writes to a number. */
  write(numberId: string, ...digits: string[]): void {
    this.#sessions.get(numberId)?.heard(digits);
  }

  behave(numberId: string, ...behaviours: Behaviour[]): void {
    this.#next.set(numberId, [...(this.#next.get(numberId) ?? []), ...behaviours]);
  }

  /** A late acknowledgement of something delivered. */
  acknowledge(waMessageId: string, ack: number): void {
    for (const session of this.#sessions.values()) session.ack(waMessageId, ack);
  }

  opened(numberId: string, session: BrowserlessSession): string | null {
    if (this.#sessions.has(numberId)) throw new Error('two sessions of one number at once');
    this.#sessions.set(numberId, session);
    return this.#phones.get(numberId) ?? null;
  }

  closed(numberId: string, session: BrowserlessSession): void {
    if (this.#sessions.get(numberId) === session) this.#sessions.delete(numberId);
  }

  loggedOut(numberId: string): void {
    this.#phones.delete(numberId);
  }

  takeBehaviour(numberId: string): Behaviour | undefined {
    return this.#next.get(numberId)?.shift();
  }

  deliver(numberId: string, message: Outgoing): void {
    const { waMessageId, chatId, content } = message;
    if (this.delivered.some((d) => d.waMessageId === waMessageId)) this.repeats += 1;
    else this.delivered.push({ numberId, waMessageId, chatId, content, atMs: performance.now() });
  }
}

class BrowserlessSession implements EngineSession {
  readonly #network: BrowserlessNetwork;
  readonly #options: SessionOptions;
  readonly #events: SessionEvents;
  readonly #ended = Promise.withResolvers<void>();
  /** The build of its page. */
  #version = '';
  #open = false;

  constructor(network: BrowserlessNetwork, options: SessionOptions, events: SessionEvents) {
    this.#network = network;
    this.#options = options;
    this.#events = events;
  }

  async start(): Promise<void> {
    const phone = this.#network.opened(this.#options.numberId, this);
    this.#open = true;
    const refusal = this.#network.takeRefusal(this.#options.numberId);
    if (!(await this.#loadBuild())) return;
    if (refusal) return this.tell(refusal);
    if (phone) return this.linked(phone);
    this.#events.state({ state: 'qr' });
    this.#events.qr('2@browserless', Date.now() + 60_000);
  }

  linked(phone: string): void {
    this.#events.state({ state: 'syncing', percent: 100 });
    this.ready(phone);
  }

  ready(phone: string): void {
    const version = this.#version;
    const failed = this.#network.brokenBuilds.get(version) ?? null;
    this.#events.selfTest?.({ version, failed });
    if (failed === null) this.#events.state({ state: 'ready', phone, pushName: null, build: version });
    else this.tell({ state: 'blocked', reason: buildChangedReason(version, failed), until: null });
  }

  /** False when this session is not to stay with the build that it has got. */
  async #loadBuild(): Promise<boolean> {
    const kept = this.#options.build ?? null;
    this.#version = kept?.version ?? this.#network.build;
    if (this.#network.withdrawnBuilds.has(this.#version)) {
      await this.stop();
      throw new Error('the scripts of this build are not served');
    }
    const document = kept ? null : Buffer.from(`<html data-version="${this.#version}">`);
    const seen = { version: this.#version, kept: kept !== null, document };
    if ((await this.#events.build?.(seen)) !== 'leave') return this.#open;
    this.tell({ state: 'gone', reason: BUILD_LEFT });
    await this.stop();
    throw new Error(BUILD_LEFT);
  }

  tell(state: Parameters<SessionEvents['state']>[0]): void {
    this.#events.state(state);
  }

  ack(waMessageId: string, ack: number, code: number | null = null): void {
    this.#events.ack(waMessageId, ack, code);
  }

  limitsChanged(): void {
    this.#events.healthChanged?.();
  }

  heard(digits: string[]): void {
    this.#events.heard?.(digits);
  }

  async health(): Promise<NumberLimits> {
    return this.#network.limitsOf(this.#options.numberId);
  }

  async stop(): Promise<void> {
    this.#open = false;
    this.#ended.resolve();
    this.#network.closed(this.#options.numberId, this);
  }

  async unlink(): Promise<boolean> {
    this.#network.loggedOut(this.#options.numberId);
    await this.stop();
    return !this.#network.mute.has(this.#options.numberId);
  }

  async requestPairingCode(): Promise<string> {
    return 'ABCD1234';
  }

  async lookUp(digits: string): Promise<'known' | 'absent'> {
    this.#network.lookUps += 1;
    if (this.#network.lookUpsRefused) throw new SendError(true, 'look_ups', 'rate-overlimit');
    this.#network.addressable.add(digits);
    return this.#network.absent.has(digits) ? 'absent' : 'known';
  }

  async canAddress(digits: string): Promise<boolean> {
    return this.#network.addressable.has(digits);
  }

  async send(message: Outgoing): Promise<void> {
    const { numberId, mayDispatch } = this.#options;
    const behaviour = this.#network.takeBehaviour(numberId);
    if (behaviour === 'throw') throw new SendError(true, 'page', 'the page threw before dispatch');
    if (!(await mayDispatch(message.waMessageId)))
      throw new SendError(true, 'fenced', 'the fence does not hold');
    if (!this.#open) throw new SendError(false, 'page', 'the session is closed');
    if (typeof behaviour === 'number') return this.#later(() => this.ack(message.waMessageId, -1, behaviour));
    switch (behaviour) {
      case 'encrypt':
        return this.#later(() =>
          this.#events.notSent(message.waMessageId, new SendError(true, 'encryption', 'encryption failed')),
        );
      case 'refuse':
        return this.#later(() => this.ack(message.waMessageId, -1));
      case 'silence':
        return; // lost on the way
      case 'crash':
        return this.#network.kill(numberId);
      case 'drop': // delivered, and the session dies before the acknowledgement
        this.#network.deliver(numberId, message);
        return this.#network.kill(numberId);
      case 'hang': // the page answers nothing any more, until its browser ends
        await this.#ended.promise;
        throw new SendError(false, 'page', 'the browser has ended');
      case 'late': // delivered, never acknowledged on its own
        return this.#network.deliver(numberId, message);
      case undefined:
        this.#network.deliver(numberId, message);
        return this.#later(() => this.ack(message.waMessageId, 1));
      default:
        return behaviour satisfies never;
    }
  }

  async probe(): Promise<boolean> {
    return this.#open && !this.#network.mute.has(this.#options.numberId);
  }

  async reconcile(message: { waMessageId: string }): Promise<number | null> {
    return this.#network.delivered.some((d) => d.waMessageId === message.waMessageId) ? 1 : null;
  }

  async listGroups(): Promise<Group[]> {
    const groups = this.#network.groups.get(this.#options.numberId);
    if (!groups) throw new Error('no groups');
    return groups;
  }

  #later(task: () => void): void {
    setTimeout(task, this.#network.ackMs);
  }
}
