import { randomUUID } from 'node:crypto';
import type { EngineState } from '#server/core/engine.ts';
import {
  PASSKEY_FAILURES,
  type PasskeyAssertion,
  type PasskeyFailure,
  type PasskeyReply,
  PasskeyRequest,
  type PasskeyStep,
  REPLY_TO,
} from '#server/core/passkey.ts';
import type { Log } from '#server/platform/log.ts';
import type { Page } from './library.ts';
import { PASSKEY_REPORT, type PasskeyReport, pressPasskey, tapPasskey } from './page/passkey.ts';
import type { PageState } from './page/state.ts';
import { asError } from './timeout.ts';
import type { EngineTimes } from './times.ts';

interface PasskeyOptions {
  times: EngineTimes;
  log: Log;
  page(): Page;
  onState(state: EngineState): void;
}

/** The passkey that WhatsApp asks for when a phone is linked: its steps, and what the number's owner does about them. */
export class Passkey {
  readonly #o: PasskeyOptions;
  #tapped = false;
  /** Null while the page does not ask for a passkey. */
  #now: { attempt: string; step: PasskeyStep } | null = null;
  #screenShown = false;
  /** The page's request waits for the owner. */
  #waiting: PromiseWithResolvers<PasskeyAssertion> | null = null;

  constructor(options: PasskeyOptions) {
    this.#o = options;
  }

  /** The page asks for a passkey: it shows no QR, and must not be asked for one. */
  get asked(): boolean {
    return this.#now !== null;
  }

  /** Makes every document of the page pass its requests on. Further calls do nothing. */
  async tap(page: Page): Promise<void> {
    if (this.#tapped) return;
    this.#tapped = true;
    await page.exposeFunction(PASSKEY_REPORT, (report: PasskeyReport) => this.#report(report));
    await page.evaluateOnNewDocument(tapPasskey, this.#o.times.passkeyPollMs);
  }

  /** Does the page ask for a passkey? Ends the ceremony of a page that is linked, or has left its screen. */
  see({ unlinked, passkeyScreen, socketState }: PageState): boolean {
    const left = this.#screenShown && this.#now?.step.at !== 'finish';
    if (passkeyScreen) this.#begin();
    else if (socketState !== null && (left || !unlinked)) this.end();
    this.#screenShown = passkeyScreen;
    return this.asked;
  }

  /** The page is linked, is loaded again, or ends. */
  end(): void {
    this.#waiting?.reject(new Error('the session has ended'));
    this.#waiting = null;
    this.#now = null;
  }

  /** A reply to another attempt or step than the present one is ignored. */
  async reply(attempt: string, reply: PasskeyReply): Promise<void> {
    if (this.#now?.attempt !== attempt || this.#now.step.at !== REPLY_TO[reply.kind]) return;
    switch (reply.kind) {
      case 'signed':
        this.#waiting?.resolve(reply.assertion);
        this.#waiting = null;
        this.#step({ at: 'phone' });
        return;
      case 'confirm':
        this.#step({ at: 'finish' });
        return this.#press('confirm');
      case 'retry':
        this.#step({ at: 'begun' });
        return this.#press('start');
      default:
        return reply satisfies never;
    }
  }

  async #report(report: PasskeyReport): Promise<PasskeyAssertion | undefined> {
    switch (report.kind) {
      case 'begun':
        this.#begin();
        return;
      case 'asked':
        return this.#ask(report.request);
      case 'sent':
        this.#step({ at: 'phone' });
        return;
      case 'code':
        this.#step(report.skipped ? { at: 'finish' } : { at: 'code', code: report.code });
        return;
      case 'failed':
        // The page reports a failure twice: as its event, and as the end of what was pressed.
        if (this.#now?.step.at === 'failed') return;
        this.#o.log.warn({ why: report.why, at: this.#now?.step.at }, 'the passkey did not link the number');
        this.#step({ at: 'failed', why: failureOf(report.why) });
        return;
      default:
        return report satisfies never;
    }
  }

  /** Another request during the ceremony changes nothing, as on the page's screen. */
  #begin(): void {
    if (this.#now) return;
    this.#now = { attempt: randomUUID(), step: { at: 'begun' } };
    this.#o.onState({ state: 'passkey', ...this.#now });
    void this.#press('start');
  }

  /** Asks the owner to sign. Settles only by their reply, or by the end of the session. */
  #ask(asked: unknown): Promise<PasskeyAssertion> {
    const request = PasskeyRequest.parse(asked);
    this.#waiting?.reject(new Error('the page asks again'));
    this.#waiting = Promise.withResolvers();
    this.#waiting.promise.catch(() => {});
    this.#now = { attempt: randomUUID(), step: { at: 'sign', request } };
    this.#o.onState({ state: 'passkey', ...this.#now });
    return this.#waiting.promise;
  }

  #step(step: PasskeyStep): void {
    if (!this.#now) return;
    this.#now = { ...this.#now, step };
    this.#o.onState({ state: 'passkey', ...this.#now });
  }

  async #press(button: 'start' | 'confirm'): Promise<void> {
    const { times, log, page } = this.#o;
    await page()
      .evaluate(pressPasskey, button, times.passkeyPollMs)
      .catch((error: unknown) => log.warn({ err: asError(error), button }, 'the page could not be pressed'));
  }
}

function failureOf(why: string): PasskeyFailure {
  return PASSKEY_FAILURES.find((known) => known === why) ?? 'unknown';
}
