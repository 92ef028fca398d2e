import {
  BUILD_LEFT,
  type EngineSession,
  type EngineState,
  type Group,
  type NumberLimits,
  type Outgoing,
  type SessionEvents,
  type SessionOptions,
  type TestedKinds,
} from '#server/core/engine.ts';
import { MESSAGE_TYPES, type MessageType } from '#server/core/message.ts';
import { PAGE_CHECKS, type PageCheck } from '#server/core/page-check.ts';
import type { PasskeyReply } from '#server/core/passkey.ts';
import { type Address, personOf } from '#server/core/recipient.ts';
import { SendError } from '#server/core/send-failures.ts';
import { type LoginRefusal, OUTDATED } from '../engine/login-refusals.ts';
import type { EngineTimes } from '../engine/times.ts';
import { BrowserlessPage } from './browserless-page.ts';

/** What the next send does instead of being acknowledged; a number is the code of its refusal. */
export type Behaviour =
  | number
  | 'refuse'
  | 'encrypt'
  | 'silence'
  | 'throw'
  | 'members'
  | 'drop'
  | 'crash'
  | 'late'
  | 'held'
  | 'file'
  | 'hang';

/** What a session needs from its network. */
export interface SessionNetwork {
  readonly times: EngineTimes;
  readonly ackMs: number;
  readonly mute: ReadonlySet<string>;
  readonly absent: ReadonlySet<string>;
  readonly unreadable: ReadonlySet<string>;
  readonly addressable: Set<string>;
  readonly otherForms: ReadonlyMap<string, Address>;
  readonly groups: ReadonlyMap<string, Group[]>;
  readonly passkeyReplies: { attempt: string; reply: PasskeyReply }[];
  readonly lookUpsFail: 'look_ups' | 'look_ups_changed' | null;
  lookUps: number;
  readonly delivered: readonly Pick<Outgoing, 'waMessageId' | 'address'>[];
  readonly acks: ReadonlyMap<string, number>;
  /** The number's session has begun. */
  opened(numberId: string, session: BrowserlessSession): void;
  /** Null if the number is not linked. */
  phoneOf(numberId: string): string | null;
  closed(numberId: string, session: BrowserlessSession): void;
  loggedOut(numberId: string): void;
  /** The number's browser dies. */
  kill(numberId: string): void;
  loginRefusal(numberId: string): LoginRefusal | null;
  limitsOf(numberId: string): NumberLimits;
  readonly build: string;
  readonly brokenBuilds: ReadonlyMap<string, string>;
  /** Kinds that fail when they are sent. */
  readonly failingKinds: ReadonlySet<MessageType>;
  /** The kind of each message that a page was given to send. */
  readonly handedOver: MessageType[];
  /** Kinds that fail their test, with what differs. */
  readonly brokenKinds: ReadonlyMap<MessageType, string>;
  /** Numbers whose next self-test fails once. */
  readonly failOnce: Set<string>;
  readonly withdrawnBuilds: ReadonlySet<string>;
  readonly outdatedBuilds: ReadonlySet<string>;
  readonly deadBuilds: ReadonlySet<string>;
  /** Why the browser of a number does not start. */
  readonly startErrors: ReadonlyMap<string, Error>;
  readonly waitingFiles: Map<string, string[]>;
  readonly loads: { numberId: string; version: string; kept: boolean }[];
  takeBehaviour(numberId: string): Behaviour | undefined;
  deliver(numberId: string, message: Outgoing): void;
}

/** A session of one number on a network without browsers. */
export class BrowserlessSession implements EngineSession {
  readonly #network: SessionNetwork;
  readonly #options: SessionOptions;
  readonly #events: SessionEvents;
  /** Its page, with login, connection and end. */
  readonly page: BrowserlessPage;
  readonly #held: string[] = [];
  readonly #ended = Promise.withResolvers<void>();
  /** The build of its page. */
  #version = '';
  /** What its page knows of WhatsApp's restrictions: as at its start, when it was notified or when it asked last. */
  #limits: NumberLimits;
  #open = false;
  #loaded = false;

  constructor(network: SessionNetwork, options: SessionOptions, events: SessionEvents) {
    this.#network = network;
    this.#options = options;
    this.#events = events;
    const { numberId } = options;
    this.#limits = network.limitsOf(numberId);
    this.page = new BrowserlessPage({
      times: network.times,
      refusal: () => network.loginRefusal(numberId),
      forgetLink: () => network.loggedOut(numberId),
      onState: (state) => this.report(state),
    });
  }

  async start(): Promise<void> {
    const { numberId } = this.#options;
    this.#network.opened(numberId, this);
    const error = this.#network.startErrors.get(numberId);
    if (error) throw error;
    this.#open = true;
    if (!(await this.#loadBuild())) return;
    this.#loaded = true;
    for (const id of this.#network.waitingFiles.get(numberId) ?? [])
      this.#events.notSent(id, new SendError(true, 'disconnected', 'held back'));
    const phone = this.#network.phoneOf(numberId);
    if (phone) return this.linked(phone);
    this.#events.state({ state: 'qr' });
    this.#events.qr('2@browserless', Date.now() + 60_000);
  }

  /** A phone has scanned. If that was before the page existed, `start` knows. */
  linked(phone: string): void {
    if (!this.#loaded) return;
    this.page.logIn(() => this.#tested(phone));
  }

  ready(phone: string): void {
    this.report(this.#tested(phone));
  }

  /** The result of its self-test on a logged-in page. */
  #tested(phone: string): EngineState {
    const version = this.#version;
    if (this.#network.outdatedBuilds.has(version)) return OUTDATED;
    const once = this.#network.failOnce.delete(this.#options.numberId)
      ? 'messages do not pass the gate'
      : null;
    const failed = this.#network.brokenBuilds.get(version) ?? once;
    this.#events.selfTest?.({ version, failed, comms: 'page' });
    return failed === null
      ? { state: 'ready', phone, pushName: null, build: version }
      : { state: 'unfit', build: version, failed };
  }

  /** False if this session must not stay with its build. */
  async #loadBuild(): Promise<boolean> {
    const kept = this.#options.build ?? null;
    this.#version = kept?.version ?? this.#network.build;
    if (this.#network.withdrawnBuilds.has(this.#version)) {
      await this.stop();
      throw new Error('the scripts of this build are not served');
    }
    const served = Buffer.from(`<html data-version="${this.#version}">`);
    if (kept && !served.equals(kept.document)) throw new Error('a kept document is not what was served');
    const document = kept ? null : served;
    const seen = { version: this.#version, kept: kept !== null, document };
    this.#network.loads.push({ numberId: this.#options.numberId, version: seen.version, kept: seen.kept });
    if ((await this.#events.build?.(seen)) !== 'leave') {
      if (!this.#network.deadBuilds.has(this.#version)) return this.#open;
      await this.stop();
      throw new Error('the page does not become ready');
    }
    this.report({ state: 'gone', reason: BUILD_LEFT });
    await this.stop();
    throw new Error(BUILD_LEFT);
  }

  report(state: Parameters<SessionEvents['state']>[0]): void {
    this.#events.state(state);
  }

  ack(waMessageId: string, ack: number, code: number | null = null): void {
    this.#events.ack(waMessageId, ack, code);
  }

  limitsChanged(): void {
    this.#limits = this.#network.limitsOf(this.#options.numberId);
    this.#events.healthChanged?.();
  }

  receivedFrom(digits: string[]): void {
    this.#events.receivedFrom?.(digits);
  }

  async health({ ask = false }: { ask?: boolean } = {}): Promise<NumberLimits> {
    if (ask) this.#limits = this.#network.limitsOf(this.#options.numberId);
    return this.#limits;
  }

  async stop(): Promise<void> {
    this.#open = false;
    this.page.stop();
    this.endSending();
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

  async replyPasskey(attempt: string, reply: PasskeyReply): Promise<void> {
    this.#network.passkeyReplies.push({ attempt, reply });
  }

  async lookUp(digits: string): Promise<Address | null> {
    this.#network.lookUps += 1;
    const { lookUpsFail } = this.#network;
    if (lookUpsFail) throw new SendError(true, lookUpsFail, 'no look-ups');
    if (this.#network.unreadable.has(digits)) throw new SendError(true, 'page', 'the page threw');
    const address = this.#network.otherForms.get(digits) ?? personOf(digits);
    this.#network.addressable.add(address);
    return this.#network.absent.has(digits) ? null : address;
  }

  async canAddress(address: Address): Promise<boolean> {
    return this.#network.addressable.has(address);
  }

  async send(message: Outgoing): Promise<void> {
    const { numberId, mayDispatch } = this.#options;
    const behaviour = this.#network.takeBehaviour(numberId);
    if (behaviour === 'throw') throw new SendError(true, 'page', 'the page threw before dispatch');
    if (behaviour === 'members')
      throw new SendError(true, 'members', 'the members of the group are not known');
    if (!(await mayDispatch(message.waMessageId)))
      throw new SendError(true, 'fenced', 'the fence does not hold');
    if (!this.#open) throw new SendError(false, 'page', 'the session is closed');
    const { type } = message.content;
    this.#network.handedOver.push(type);
    if (this.#network.failingKinds.has(type))
      throw new SendError(true, 'page', `the page cannot send ${type}`);
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
      case 'held': // waits in the page until the session ends
        this.#held.push(message.waMessageId);
        return;
      case 'file': // waits in the page, and the session dies
        this.#network.waitingFiles.set(numberId, [message.waMessageId]);
        return this.#network.kill(numberId);
      case 'drop': // delivered, and the session dies before the acknowledgement
        this.#network.deliver(numberId, message);
        return this.#network.kill(numberId);
      case 'hang': // the page does not answer until its browser ends
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

  async testKinds(types: readonly MessageType[]): Promise<TestedKinds> {
    const broken = this.#network.brokenKinds;
    return Object.fromEntries(types.map((type) => [type, broken.get(type) ?? null]));
  }

  async check(): Promise<PageCheck> {
    const kinds = await this.testKinds(MESSAGE_TYPES);
    const rows = [
      ...PAGE_CHECKS.map((check) => ({ check, failed: null })),
      ...MESSAGE_TYPES.map((check) => ({ check, failed: kinds[check] ?? null })),
    ];
    return { build: this.#version, comms: 'page', rows, modules: {} };
  }

  giveUp(waMessageId: string): SendError {
    const place = this.#held.indexOf(waMessageId);
    if (place === -1) return new SendError(false, 'timeout', 'no answer in time');
    this.#held.splice(place, 1);
    return new SendError(true, 'late', 'its job did not start in time');
  }

  endSending(): void {
    for (const id of this.#held.splice(0))
      this.#events.notSent(
        id,
        new SendError(true, 'disconnected', 'the session ended before it was written'),
      );
  }

  async probe(): Promise<boolean> {
    return this.#open && this.page.connected && !this.#network.mute.has(this.#options.numberId);
  }

  async reconcile({
    waMessageId,
    address,
  }: {
    waMessageId: string;
    address: Address;
  }): Promise<number | null> {
    const isDelivered = this.#network.delivered.some(
      (one) => one.waMessageId === waMessageId && one.address === address,
    );
    return isDelivered ? (this.#network.acks.get(waMessageId) ?? 1) : null;
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
