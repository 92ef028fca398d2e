import crypto from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Log } from '#server/platform/log.ts';
import type { Client, Page } from './library.ts';
import type { LookUps } from './look-ups.ts';
import { pingServer } from './page-connection.ts';
import { beginCanary, endCanary, INVENTED, missingFunction, NEEDED, testPage } from './page-self-test.ts';
import { HOOK_ERRORS, MARK } from './page-sending.ts';
import { asError, withTimeout } from './timeout.ts';
import type { EngineTimes } from './times.ts';

const PING_AGAIN_MS = 100;
const NOT_FOUND = /No LID for user|ServerStatusCodeError/;

export interface SelfTestOptions {
  times: EngineTimes;
  log: Log;
  page(): Page;
  lookUps: LookUps;
}

/** What has changed in the page; null if everything is as the adapter expects. */
export type Change = string | null;

/** Tests on the page itself that a message leaves only through our gate, and that its acknowledgement is seen. */
export class SelfTest {
  readonly #o: SelfTestOptions;
  /** The ID of the current canary, and how often the gate was asked about it. */
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
   * The page has finished a real message whose job reported nothing, which no test can detect. Messages are still
   * sent, but more failures stay unknown if the job does not ask at its gate.
   */
  jobSilent(asked: boolean): void {
    if (this.#jobNoted) return;
    this.#jobNoted = true;
    const effect = asked
      ? 'codes of refusals come from the server’s stanza alone'
      : 'its job is not gated, so some failed messages will be unknown';
    this.#o.log.warn({ asked }, `this build of WhatsApp Web does not report the result of a send: ${effect}`);
  }

  /** Checks the functions that the gate needs, so it runs before the gate is installed. */
  async functions(): Promise<Change> {
    const { times, page } = this.#o;
    return withTimeout(times.callMs, 'the functions', page().evaluate(missingFunction, NEEDED));
  }

  /** The whole test, once for each document. Rejects if the page does not answer. */
  async run(client: Client, phone: string): Promise<Change> {
    const { times, page } = this.#o;
    const changed = await withTimeout(times.callMs, 'the self-test', page().evaluate(testPage, INVENTED));
    if (changed !== null) return changed;
    if (await this.#arePingsUnseen(phone)) return 'the server’s answer to a ping is not seen';
    return this.canary(client, phone);
  }

  /** True if the server answers look-ups but no ping before and after them: then the page has changed. */
  async #arePingsUnseen(phone: string): Promise<boolean> {
    const { lookUps } = this.#o;
    const pinged = await this.#ping();
    const answered = await lookUps.checkOwn(phone);
    return !pinged && answered && !(await this.#ping()) && (await lookUps.checkOwn(phone));
  }

  /** Pings the server. Retries, because the page also refuses while its own ping is in progress. */
  async #ping(): Promise<boolean> {
    const { times, page } = this.#o;
    const until = performance.now() + times.firstPingMs;
    for (;;) {
      const leftMs = Math.max(1, until - performance.now());
      const answer = await withTimeout(times.callMs, 'a ping', page().evaluate(pingServer, leftMs));
      if (answer === 'answered' || performance.now() >= until) return answer === 'answered';
      await delay(PING_AGAIN_MS);
    }
  }

  /**
   * Sends a message to the number itself through the whole library; the gate must hold it back. Rejects if there is no
   * answer in time, because then the result is unknown.
   */
  async canary(client: Client, phone: string): Promise<Change> {
    const { times, page } = this.#o;
    const canary = { id: `3EB0${crypto.randomBytes(9).toString('hex').toUpperCase()}`, asked: 0 };
    const body = `Wirebird tests itself (${canary.id}). This message is never sent.`;
    const options = { sendSeen: false, linkPreview: false, parseVCards: false, extra: { [MARK]: canary.id } };
    this.#canary = canary;
    try {
      const before = await withTimeout(times.callMs, 'the canary', page().evaluate(beginCanary, body));
      const outcome = await withTimeout(
        times.callMs,
        'the canary',
        client.sendMessage(`${phone}@c.us`, body, options).then(
          () => 'sent' as const,
          (error: unknown) => asError(error),
        ),
      );
      const left = await withTimeout(times.callMs, 'the canary', page().evaluate(endCanary, canary.id));
      this.#o.log.debug({ ...left, before, asked: canary.asked }, 'canary');
      if (outcome === 'sent' || left.added || left.reachedJob) return 'a test message was not held back';
      // The server did not resolve the number itself: the page has not changed.
      if (canary.asked === 0 && NOT_FOUND.test(outcome.message)) throw outcome;
      if (canary.asked !== 1) return 'messages do not pass the gate';
      // The library must pass on the gate's own error for a message that may not leave.
      return outcome.message.includes(HOOK_ERRORS.heldBack)
        ? null
        : 'a message that is held back fails differently';
    } finally {
      this.#canary = null;
    }
  }

  /** Repeats the canary every `canaryMs`. `onFailed` gets the failed check. */
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
