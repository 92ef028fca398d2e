import type { EngineState } from '#server/core/engine.ts';
import type { Cause } from '#server/core/number/cause.ts';
import type { Page } from './library.ts';
import { classifyRefusal, type LoginRefusal, OUTDATED } from './login-refusals.ts';
import { LOGIN_REPORT, type LoginReport, tapLogin } from './page/login.ts';
import type { EndState } from './states.ts';
import type { EngineTimes } from './times.ts';

interface LoginWatchOptions {
  times: EngineTimes;
  onState(state: EngineState): void;
  /** `linkGone`: the stored session is no longer valid. */
  end(state: EndState, options?: { linkGone: boolean }): void;
  onAccepted?(): void;
  /** A logout has begun: nothing more may be sent. */
  onLeaving(): void;
  /** The server has ended the stream with this error: a code, or the kind of a conflict. */
  onStreamEnded(error: string): void;
  /** A new document of this build has loaded. */
  onLoaded(version: string): void;
}

/** This many reloads without an accepted login, within this time, are too many. */
const RELOADS_MAX = 3;
const RELOADS_WITHIN_MS = 60_000;

/**
 * Decides from the page's reports what happens to a session whose login is refused or whose page logs out. One for
 * all documents of a page. Times are monotonic, except for the end of a ban.
 */
export class LoginWatch {
  readonly #o: LoginWatchOptions;
  #tapped = false;
  #stanzaSeen = false;
  #refusal: Cause | null = null;
  #refusedWith = '';
  /** When the page last asked for a login, or was refused; null once it is accepted. */
  #unansweredAt: number | null = null;
  #reloads: number[] = [];
  /** What the page has reported of its logout. */
  #reported: { reason: string | null } | null = null;
  #giveUpTimer: NodeJS.Timeout | undefined;
  #logoutTimer: NodeJS.Timeout | undefined;

  constructor(options: LoginWatchOptions) {
    this.#o = options;
  }

  /** Why the login is refused now; null if it is not. */
  get refusal(): Cause | null {
    return this.#refusal;
  }

  /**
   * The server has not accepted the present connection's login. It answers within `loginMs`: what answers pings for longer
   * is connected, on a build that does not report its logins.
   */
  get pending(): boolean {
    return this.#unansweredAt !== null && performance.now() - this.#unansweredAt < this.#o.times.loginMs;
  }

  /** The current document's taps have seen a stanza. Without one, refusals are not visible. */
  get stanzaSeen(): boolean {
    return this.#stanzaSeen;
  }

  /** The page is logging out. */
  get leaving(): boolean {
    return this.#logoutTimer !== undefined;
  }

  /** Why the page has logged out, as far as it has reported a reason. */
  get logoutReason(): string | null {
    return this.#reported?.reason ?? null;
  }

  /** Makes every document of the page report its login. Further calls do nothing. */
  async tap(page: Page): Promise<void> {
    if (this.#tapped) return;
    this.#tapped = true;
    await page.exposeFunction(LOGIN_REPORT, (report: LoginReport) => this.report(report));
    await page.evaluateOnNewDocument(tapLogin, this.#o.times.tapMs);
  }

  stop(): void {
    clearTimeout(this.#giveUpTimer);
    clearTimeout(this.#logoutTimer);
  }

  report(report: LoginReport): void {
    switch (report.kind) {
      case 'loaded':
        this.#stanzaSeen = false;
        this.#o.onLoaded(report.version);
        return;
      case 'stanza':
        this.#stanzaSeen = true;
        return;
      case 'opening':
        this.#unansweredAt = performance.now();
        return;
      case 'accepted':
        this.#unansweredAt = null;
        this.#refusal = null;
        this.#reloads = [];
        clearTimeout(this.#giveUpTimer);
        this.#giveUpTimer = undefined;
        this.#o.onAccepted?.();
        return;
      case 'refused':
        this.#refused(report);
        return;
      case 'stream ended':
        this.#o.onStreamEnded(report.error);
        return;
      case 'leaving':
        this.#leaving();
        return;
      case 'logout':
        this.#logout(report.reason);
        return;
      default:
        report satisfies never;
    }
  }

  #refused(refusal: LoginRefusal): void {
    this.#unansweredAt = performance.now();
    const judged = classifyRefusal(refusal, Date.now());
    switch (judged.kind) {
      case 'logged_out':
        this.#o.end({ state: 'logged_out', reason: null });
        return;
      case 'blocked':
        this.#o.end(judged.state, { linkGone: judged.linkGone });
        return;
      case 'reloading': {
        const now = performance.now();
        this.#reloads = [...this.#reloads.filter((at) => now - at < RELOADS_WITHIN_MS), now];
        if (this.#reloads.length >= RELOADS_MAX) this.#o.end(OUTDATED);
        else this.#wait(judged.cause, refusal);
        return;
      }
      case 'waiting':
        this.#wait(judged.cause, refusal);
    }
  }

  /** Lets the page retry for `refusedMs` before it is given up. */
  #wait(cause: Cause, { reason }: LoginRefusal): void {
    const { times, onState } = this.#o;
    this.#refusal = cause;
    this.#refusedWith = reason;
    this.#giveUpTimer ??= setTimeout(() => this.#giveUp(), times.refusedMs);
    onState({ state: 'waiting', cause });
  }

  #giveUp(): void {
    const pause = this.#refusedWith === '503' ? { pauseMs: this.#o.times.unavailableMs } : {};
    this.#o.end({
      state: 'gone',
      ...{ reason: 'login refused', detail: this.#refusedWith },
      ...(this.#refusal === null ? {} : { cause: this.#refusal }),
      ...pause,
    });
  }

  #leaving(): void {
    const { times, onState, end, onLeaving } = this.#o;
    onLeaving();
    // If deleting the data hangs, the page reports nothing more.
    this.#logoutTimer ??= setTimeout(
      () => end({ state: 'logged_out', reason: this.logoutReason }),
      times.logoutMs,
    );
    onState({ state: 'leaving' });
  }

  #logout(reason: string | null): void {
    // Without a reason the server has already removed the device, so there is nothing to wait for.
    if (reason === null && !this.#reported) this.#o.end({ state: 'logged_out', reason: null });
    else if (reason === 'account_locked') this.#refused({ reason: '403' });
    else {
      this.#reported ??= { reason };
      this.#leaving();
    }
  }
}
