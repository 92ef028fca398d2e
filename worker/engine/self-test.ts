import crypto from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Log } from '#server/platform/log.ts';
import { asError, within } from './deadline.ts';
import type { Client, Page } from './library.ts';
import { pingServer } from './page-line.ts';
import { beginCanary, endCanary, INVENTED, missingFunction, NEEDED, testPage } from './page-self-test.ts';
import { MARK, WORDS } from './page-sending.ts';
import type { People } from './people.ts';
import type { EngineTimes } from './times.ts';

const PING_AGAIN_MS = 100;
const NOT_FOUND = /No LID for user|ServerStatusCodeError/;

export interface SelfTestOptions {
  times: EngineTimes;
  log: Log;
  page(): Page;
  people: People;
}

/** What a start found out about its page: null where everything is as the adapter knows it. */
export type Change = string | null;

/** Proves on the page itself that a message leaves only through our gate and that what becomes of it is seen. */
export class SelfTest {
  readonly #o: SelfTestOptions;
  /** The canary's id while one is on its way, and how often the gate was asked for it. */
  #canary: { id: string; asked: number } | null = null;
  #timer: NodeJS.Timeout | undefined;
  #jobNoted = false;

  constructor(options: SelfTestOptions) {
    this.#o = options;
  }

  /** The gate is asked about a message. */
  asked(id: string): void {
    if (this.#canary?.id === id) this.#canary.asked += 1;
  }

  /**
   * What only a true message shows: the page is done with one, and its job has said nothing. Messages go on; without
   * the gate in their job they cannot be held back there, and more of what fails stays unknown.
   */
  jobUnheard(asked: boolean): void {
    if (this.#jobNoted) return;
    this.#jobNoted = true;
    const lacks = asked ? 'codes of refusals come from the server’s stanza alone' : 'its job is not gated';
    this.#o.log.warn({ asked }, `this build of WhatsApp Web does not report what its job answers: ${lacks}`);
  }

  /** Before the gate is put up, which needs the page's functions. */
  async functions(): Promise<Change> {
    const { times, page } = this.#o;
    return within(times.callMs, 'the functions', page().evaluate(missingFunction, NEEDED));
  }

  /** The whole test, once for each document. Rejects when the page does not answer. */
  async run(client: Client, phone: string): Promise<Change> {
    const { times, page } = this.#o;
    const changed = await within(times.callMs, 'the self-test', page().evaluate(testPage, INVENTED));
    if (changed !== null) return changed;
    if (await this.#pingIsDeaf(phone)) return 'the server’s answer to a ping is not seen';
    return this.canary(client, phone);
  }

  /** A server that answers a question and not the ping before and after it: then the page has changed. */
  async #pingIsDeaf(phone: string): Promise<boolean> {
    const { people } = this.#o;
    const pinged = await this.#ping();
    const answered = await people.prove(phone);
    return !pinged && answered && !(await this.#ping()) && (await people.prove(phone));
  }

  /** Again while the page says no: it does so, too, while a ping of its own is on its way. */
  async #ping(): Promise<boolean> {
    const { times, page } = this.#o;
    const until = performance.now() + times.firstPingMs;
    for (;;) {
      const leftMs = Math.max(1, until - performance.now());
      const answer = await within(times.callMs, 'a ping', page().evaluate(pingServer, leftMs));
      if (answer === 'answered' || performance.now() >= until) return answer === 'answered';
      await delay(PING_AGAIN_MS);
    }
  }

  /**
   * Sends oneself a message through the library's whole way, which the gate has to hold back. Rejects when nobody
   * answers in time: then it is not known.
   */
  async canary(client: Client, phone: string): Promise<Change> {
    const { times, page } = this.#o;
    const canary = { id: `3EB0${crypto.randomBytes(9).toString('hex').toUpperCase()}`, asked: 0 };
    const body = `Wirebird tests itself (${canary.id}). This message is never sent.`;
    const options = { sendSeen: false, linkPreview: false, parseVCards: false, extra: { [MARK]: canary.id } };
    this.#canary = canary;
    try {
      const before = await within(times.callMs, 'the canary', page().evaluate(beginCanary, body));
      const outcome = await within(
        times.callMs,
        'the canary',
        client.sendMessage(`${phone}@c.us`, body, options).then(
          () => 'sent' as const,
          (error: unknown) => asError(error),
        ),
      );
      const left = await within(times.callMs, 'the canary', page().evaluate(endCanary, canary.id));
      this.#o.log.debug({ ...left, before, asked: canary.asked }, 'canary');
      if (outcome === 'sent' || left.added || left.reachedJob) return 'a test message was not held back';
      // The server did not say where a message to oneself goes: that is no change of the page.
      if (canary.asked === 0 && NOT_FOUND.test(outcome.message)) throw outcome;
      if (canary.asked !== 1) return 'messages do not pass the gate';
      // With the gate's own words the library has to fail a message that may not leave.
      return outcome.message.includes(WORDS.heldBack)
        ? null
        : 'a message that is held back fails differently';
    } finally {
      this.#canary = null;
    }
  }

  /** Sends the canary from time to time. `onFailed` gets the failed check. */
  repeat(client: Client, phone: string, onFailed: (what: string) => void): void {
    this.stop();
    const again = async () => {
      const changed = await this.canary(client, phone).catch((error: unknown) => {
        this.#o.log.warn({ err: error }, 'the canary got no answer');
        return null;
      });
      if (!this.#timer) return;
      if (changed === null) this.repeat(client, phone, onFailed);
      else onFailed(changed);
    };
    this.#timer = setTimeout(() => void again(), this.#o.times.canaryMs);
    this.#timer.unref();
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
