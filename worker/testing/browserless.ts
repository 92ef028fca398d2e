import type { Engine, EngineSession, Group, NumberLimits, Outgoing } from '#server/core/engine.ts';
import type { MessageType } from '#server/core/message.ts';
import type { Cause } from '#server/core/number/cause.ts';
import type { PasskeyReply, PasskeyStep } from '#server/core/passkey.ts';
import type { Address, Recipient } from '#server/core/recipient.ts';
import type { LoginRefusal } from '../engine/login-refusals.ts';
import { ENGINE_TIMES, type EngineTimes } from '../engine/times.ts';
import type { StreamError } from './browserless-page.ts';
import { type Behaviour, BrowserlessSession, type SessionNetwork } from './browserless-session.ts';

export interface Delivered {
  numberId: string;
  waMessageId: string;
  recipient: Recipient;
  address: Address;
  content: Outgoing['content'];
  atMs: number;
}

/**
 * A WhatsApp without browser and page, for tests and benchmarks above the engine's port. It records linked numbers
 * and delivered messages (each ID once), and causes faults.
 */
export class BrowserlessNetwork implements SessionNetwork {
  readonly delivered: Delivered[] = [];
  /** The acknowledgements that came late, by WhatsApp ID. */
  readonly acks = new Map<string, number>();
  readonly absent = new Set<string>();
  /** The page throws when it looks these up. */
  readonly unreadable = new Set<string>();
  /** The people whom the pages can address without a look-up, by their addresses. */
  readonly addressable = new Set<string>();
  /** People whom WhatsApp knows at another address than the number that is asked for. */
  readonly otherForms = new Map<string, Address>();
  /** Look-ups so far, and why they fail: there were too many, or this build answers differently. */
  lookUps = 0;
  lookUpsFail: 'look_ups' | 'look_ups_changed' | null = null;
  /** The groups that each number lists. Without an entry, listing fails. */
  readonly groups = new Map<string, Group[]>();
  /** What owners did about passkeys. */
  readonly passkeyReplies: { attempt: string; reply: PasskeyReply }[] = [];
  readonly #sessions = new Map<string, BrowserlessSession>();
  readonly #phones = new Map<string, string>();
  readonly #refusals = new Map<string, LoginRefusal>();
  readonly #next = new Map<string, Behaviour[]>();
  /** How many times an ID arrived again. Must stay 0. */
  repeats = 0;
  ackMs = 1;
  /** What WhatsApp restricts on each number. */
  readonly #limits = new Map<string, NumberLimits>();
  /** How long sessions wait; tests lower these times. */
  times: EngineTimes = { ...ENGINE_TIMES };
  /** Messages with a file that wait in a number's page: its next session reports that it holds them back. */
  readonly waitingFiles = new Map<string, string[]>();
  /** How often a session was opened for each number. */
  readonly opens = new Map<string, number>();
  /** Sessions that answer no probe, and whose phone is not notified of an unlinking. */
  readonly mute = new Set<string>();
  /** The version of the build that the site serves. */
  build = 'browserless';
  /** Builds whose self-test finds this change. */
  readonly brokenBuilds = new Map<string, string>();
  readonly failOnce = new Set<string>();
  readonly brokenKinds = new Map<MessageType, string>();
  readonly failingKinds = new Set<MessageType>();
  readonly handedOver: MessageType[] = [];
  /** Builds whose scripts the site no longer serves. */
  readonly withdrawnBuilds = new Set<string>();
  /** Builds that WhatsApp's server refuses as too old. */
  readonly outdatedBuilds = new Set<string>();
  /** Builds whose page loads and never becomes ready. */
  readonly deadBuilds = new Set<string>();
  /** Why the browser of a number does not start. */
  readonly startErrors = new Map<string, Error>();
  /** Each page that loaded, and whether from a kept document. */
  readonly loads: { numberId: string; version: string; kept: boolean }[] = [];

  engine(): Engine {
    return {
      open: (options, events) => new BrowserlessSession(this, options, events),
    };
  }

  /** The phone scans the code of a number. */
  scan(numberId: string, phone: string): void {
    this.#phones.set(numberId, phone);
    this.#sessions.get(numberId)?.linked(phone);
  }

  /** WhatsApp asks for a number's passkey, or goes on with it. */
  passkey(numberId: string, attempt: string, step: PasskeyStep): void {
    this.#sessions.get(numberId)?.report({ state: 'passkey', attempt, step });
  }

  /** The page shows a QR, perhaps again. */
  showQr(numberId: string): void {
    this.#sessions.get(numberId)?.report({ state: 'qr' });
  }

  /** A phone has scanned the code of a number, and the page loads the account's data until {@link scan}. */
  load(numberId: string): void {
    this.#sessions.get(numberId)?.report({ state: 'syncing', percent: null });
  }

  /** The number was linked earlier. */
  link(numberId: string, phone: string): void {
    this.#phones.set(numberId, phone);
  }

  /** The device is removed on the phone, or its page logs out for a reason. */
  unlink(numberId: string, reason: string | null = null): void {
    this.#phones.delete(numberId);
    this.#sessions.get(numberId)?.page.logOut(reason);
  }

  /** The open session of a number. */
  sessionOf(numberId: string): EngineSession | undefined {
    return this.#sessions.get(numberId);
  }

  isOpen(numberId: string): boolean {
    return this.#sessions.has(numberId);
  }

  /** The session ends, as when the browser dies. The next one must not start before `pauseMs`. */
  kill(
    numberId: string,
    { words, pauseMs, unseen }: { words?: string; pauseMs?: number; unseen?: true } = {},
  ): void {
    this.#sessions.get(numberId)?.report({
      state: 'gone',
      reason: 'killed',
      ...(words === undefined ? {} : { words }),
      ...(pauseMs === undefined ? {} : { pauseMs }),
      ...(unseen && { unseen }),
    });
    this.#sessions.delete(numberId);
  }

  /** WhatsApp refuses each login of a number from now on. A connected number has to log in again. */
  refuse(numberId: string, refusal: LoginRefusal): void {
    this.#refusals.set(numberId, refusal);
    this.endStream(numberId, '500');
  }

  accept(numberId: string): void {
    this.#refusals.delete(numberId);
  }

  loginRefusal(numberId: string): LoginRefusal | null {
    return this.#refusals.get(numberId) ?? null;
  }

  /** The server ends a number's stream. */
  endStream(numberId: string, error: StreamError, options: { wipeHangs?: boolean } = {}): void {
    this.#sessions.get(numberId)?.page.streamEnds(error, options);
  }

  /** A number's connection is cut, or its server stops answering, until it is restored. */
  cut(numberId: string, options: { silently?: boolean } = {}): void {
    this.#sessions.get(numberId)?.page.cut(options);
  }

  restore(numberId: string): void {
    this.#sessions.get(numberId)?.page.restore();
  }

  /** The page loses its connection, and reports it. */
  disconnect(numberId: string, cause: Cause): void {
    this.#sessions.get(numberId)?.report({ state: 'waiting', cause });
  }

  /** The page is connected again. */
  reconnect(numberId: string): void {
    const phone = this.#phones.get(numberId);
    if (phone !== undefined) this.#sessions.get(numberId)?.ready(phone);
  }

  /** WhatsApp restricts a number, or lifts the restriction. */
  restrict(numberId: string, limits: Partial<NumberLimits>, { silently = false } = {}): void {
    this.#limits.set(numberId, { ...this.limitsOf(numberId), ...limits });
    if (!silently) this.#sessions.get(numberId)?.limitsChanged();
  }

  limitsOf(numberId: string): NumberLimits {
    return this.#limits.get(numberId) ?? { timelock: null, cap: null, checkpoint: null };
  }

  /** Somebody writes to a number. */
  write(numberId: string, ...digits: string[]): void {
    this.#sessions.get(numberId)?.receivedFrom(digits);
  }

  behave(numberId: string, ...behaviours: Behaviour[]): void {
    this.#next.set(numberId, [...(this.#next.get(numberId) ?? []), ...behaviours]);
  }

  /** A late acknowledgement of a delivered message. The pages store it too, for the next session. */
  acknowledge(waMessageId: string, ack: number, code: number | null = null): void {
    this.acks.set(waMessageId, ack);
    for (const session of this.#sessions.values()) session.ack(waMessageId, ack, code);
  }

  opened(numberId: string, session: BrowserlessSession): void {
    if (this.#sessions.has(numberId)) throw new Error('two sessions of one number at once');
    this.#sessions.set(numberId, session);
    this.opens.set(numberId, (this.opens.get(numberId) ?? 0) + 1);
  }

  phoneOf(numberId: string): string | null {
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
    const { waMessageId, recipient, address, content } = message;
    if (this.delivered.some((d) => d.waMessageId === waMessageId)) this.repeats += 1;
    else this.delivered.push({ numberId, waMessageId, recipient, address, content, atMs: performance.now() });
  }
}
