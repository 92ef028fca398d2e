import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import type { LoginRefusal } from '../engine/login-refusals.ts';
import { sendFrame } from './network-frames.ts';

/** How long a job waits for a reconnection, as our hook in the page does. */
const LINE_BACK_MS = 1_000;
const LINE_LOOK_MS = 20;
/** A silent connection is noticed within this time, without an earlier probe. */
const SILENCE_NOTICED_MS = 8_500;
/** The time from one refused login to the page's next. */
const LOGIN_AGAIN_MS = 500;
const GATE_PASSED_BY = 'messages do not pass the gate';

interface ReachOptions {
  sessionOf(numberId: string): Socket | undefined;
  phoneOf(numberId: string): string | undefined;
}

/** Keeps a number's pages from the server: lost connections, refused logins, failing builds. */
export class NetworkReach {
  readonly #o: ReachOptions;
  /** Numbers whose pages have no connection to the server, and whether the pages notice. */
  readonly #down = new Map<string, { silently: boolean }>();
  /** How WhatsApp refuses a number's logins, and until when. */
  readonly #refusals = new Map<string, { refusal: LoginRefusal; until: number }>();
  /** Numbers whose page has a build that fails its self-test. */
  readonly #changed = new Set<string>();
  /** Pages whose connection the server has stopped permanently. */
  readonly #stopped = new WeakSet<Socket>();

  constructor(options: ReachOptions) {
    this.#o = options;
  }

  /**
   * Disconnects the number's pages from the server. They keep running, and their messages leave after the
   * reconnection. `silently`: they notice at the next probe, or after `SILENCE_NOTICED_MS`.
   */
  disconnect(numberId: string, { silently }: { silently: boolean }): void {
    this.#down.set(numberId, { silently });
    if (silently) setTimeout(() => this.#notice(numberId), SILENCE_NOTICED_MS);
    else this.#notice(numberId);
  }

  reconnect(numberId: string): void {
    if (!this.#down.delete(numberId)) return;
    const socket = this.#o.sessionOf(numberId);
    if (socket) this.logIn(numberId, socket);
  }

  /**
   * The session was opened elsewhere: the number's current page has lost its connection permanently, but not the
   * next page.
   */
  replace(numberId: string): void {
    const socket = this.#o.sessionOf(numberId);
    if (!socket) return;
    this.#stopped.add(socket);
    sendFrame(socket, { t: 'conflict' });
  }

  /** WhatsApp refuses the number's logins, a ban until its end; null: it accepts them again. */
  refuse(numberId: string, refusal: LoginRefusal | null): void {
    if (!refusal) {
      this.#refusals.delete(numberId);
      return;
    }
    const { expireSeconds } = refusal;
    const until = expireSeconds === undefined ? Number.POSITIVE_INFINITY : Date.now() + expireSeconds * 1000;
    this.#refusals.set(numberId, { refusal, until });
    const socket = this.#o.sessionOf(numberId);
    if (socket) this.logIn(numberId, socket);
  }

  /** The number's page has a failing build: at once, or after a reload. */
  changeBuild(numberId: string, { running }: { running: boolean }): void {
    this.#changed.add(numberId);
    const socket = this.#o.sessionOf(numberId);
    if (!socket) return;
    if (running) sendFrame(socket, { t: 'changed', what: GATE_PASSED_BY });
    else socket.destroy();
  }

  restoreBuild(numberId: string): void {
    this.#changed.delete(numberId);
  }

  /** The login of a linked page; a refused one is retried. */
  logIn(numberId: string, socket: Socket): void {
    const phone = this.#o.phoneOf(numberId);
    if (socket.destroyed || phone === undefined) return;
    const refused = this.#refusal(numberId);
    if (refused) {
      sendFrame(socket, { t: 'refused', refusal: refused });
      setTimeout(() => this.logIn(numberId, socket), LOGIN_AGAIN_MS);
    } else if (this.#changed.has(numberId)) sendFrame(socket, { t: 'changed', what: GATE_PASSED_BY });
    else {
      sendFrame(socket, { t: 'ready', phone, link: null });
      if (this.#down.get(numberId)?.silently === false) sendFrame(socket, { t: 'waiting' });
    }
  }

  /** The page's answer to a probe, by which it notices a silent connection. */
  probe(numberId: string, socket: Socket): boolean {
    this.#notice(numberId);
    return !this.#isCut(numberId, socket);
  }

  /** A job waits briefly for a reconnection if the page knows that it is disconnected, and then fails. */
  async jobMayBegin(numberId: string, socket: Socket): Promise<boolean> {
    return !this.#sees(numberId, socket) || this.lineBack(numberId, socket, LINE_BACK_MS);
  }

  /** Waits for a reconnection. False if there is none in time, or the page ends first. */
  async lineBack(numberId: string, socket: Socket, limitMs = Number.POSITIVE_INFINITY): Promise<boolean> {
    const until = performance.now() + limitMs;
    while (this.#isCut(numberId, socket)) {
      if (socket.destroyed || performance.now() > until) return false;
      await delay(LINE_LOOK_MS);
    }
    return !socket.destroyed;
  }

  #refusal(numberId: string): LoginRefusal | null {
    const refused = this.#refusals.get(numberId);
    return refused && refused.until > Date.now() ? refused.refusal : null;
  }

  /** The number's page notices that it has no connection. */
  #notice(numberId: string): void {
    const socket = this.#o.sessionOf(numberId);
    if (socket && this.#down.has(numberId)) sendFrame(socket, { t: 'waiting' });
  }

  /** Nothing from this page reaches the server, and the page knows it. */
  #sees(numberId: string, socket: Socket): boolean {
    const down = this.#down.get(numberId);
    return down?.silently === false || this.#stopped.has(socket) || this.#refusal(numberId) !== null;
  }

  #isCut(numberId: string, socket: Socket): boolean {
    return this.#down.has(numberId) || this.#sees(numberId, socket);
  }
}
