import type { EngineState } from '#server/core/engine.ts';
import type { PingResult } from './page/connection.ts';
import type { SiteWatch, WaitingPage } from './site-watch.ts';
import type { EndState } from './states.ts';
import { withTimeout } from './timeout.ts';
import type { EngineTimes } from './times.ts';

interface ConnectionWatchOptions {
  times: EngineTimes;
  isConnected(): Promise<boolean>;
  ping(): Promise<PingResult>;
  onState(state: EngineState): void;
  end(state: EndState): void;
  /** The page's login has not been accepted: until then an open connection that answers pings does not count. */
  isLoginPending(): boolean;
  /** The login is refused: `LoginWatch` decides how long the page may retry. */
  isRefused(): boolean;
  /** Shared by all pages of the process. */
  site: Pick<SiteWatch, 'join' | 'leave' | 'unreachable'>;
  isSiteReachable(): Promise<boolean>;
  /** Makes the page reconnect now. */
  reconnect(): void;
}

/** Why a linked page is not connected. */
const CAUSES = {
  cut: 'connection_cut',
  silent: 'no_answer',
  wiped: 'connection_wiped',
} as const;
type Outage = keyof typeof CAUSES;

/** The server ends streams with these codes in normal operation; the page reconnects within seconds. */
const BRIEF = /^(5\d\d|xml-not-well-formed)$/;
const REPLACED = 'replaced';
/** The server ends the link: the page deletes its data. */
const WIPES = '516';

/**
 * Checks whether a page that was ready is really connected. Its state stays CONNECTED when the connection is cut,
 * the server does not answer, or another page has replaced it, so each check also pings. Times are monotonic.
 */
export class ConnectionWatch {
  readonly #o: ConnectionWatchOptions;
  /** The page's entry in {@link SiteWatch} while it is disconnected. */
  readonly #waitingPage: WaitingPage;
  #ready: EngineState | null = null;
  #wasReady = false;
  #timer: NodeJS.Timeout | undefined;
  #checking: Promise<boolean> | null = null;
  #again = false;
  #outage: { kind: Outage; since: number } | null = null;
  /** When a check last found that the site does not answer. */
  #unreachableAt = Number.NEGATIVE_INFINITY;
  #reported = false;
  #answeredAt = 0;
  #streamError: string | null = null;

  constructor(options: ConnectionWatchOptions) {
    this.#o = options;
    this.#waitingPage = {
      isSiteReachable: () => options.isSiteReachable(),
      reconnect: () => {
        if (!options.isRefused()) options.reconnect();
      },
    };
  }

  /** The page is connected, as far as is reported. */
  get up(): boolean {
    return !this.#reported;
  }

  /** The server has ended the link, and the page wipes itself. */
  get wiped(): boolean {
    return this.#streamError === WIPES;
  }

  /** The page is ready. `ready` is reported again after each reconnection. */
  start(ready: EngineState): void {
    this.#ready = ready;
    this.#wasReady = true;
    // Nothing else watches a page that hangs before its first check: it has not been reported as ready yet.
    this.#reported = true;
    this.#answeredAt = performance.now();
    this.#schedule();
  }

  stop(): void {
    this.#ready = null;
    clearTimeout(this.#timer);
    this.#o.site.leave(this.#waitingPage);
  }

  /**
   * The server has ended the stream with this error: a code, or the kind of a conflict. The page does not show it.
   */
  streamEnded(error: string): void {
    this.#streamError = error;
    // A page that was replaced before it was ready never connects again.
    if (error === REPLACED && !this.#wasReady) this.#o.end({ state: 'conflict' });
    else this.changed();
  }

  /** The page reports a change of its connection. */
  changed(): void {
    if (this.#ready === null) return;
    if (this.#checking) this.#again = true;
    else void this.check();
  }

  /** Checks now. True if the page is connected and the server answers. */
  check(): Promise<boolean> {
    clearTimeout(this.#timer);
    this.#checking ??= this.#check().finally(() => {
      this.#checking = null;
      this.#schedule();
    });
    return this.#checking;
  }

  #schedule(): void {
    clearTimeout(this.#timer);
    if (this.#ready === null) return;
    const { connectionMs, reconnectingMs } = this.#o.times;
    const ms = this.#again ? 0 : this.#outage ? reconnectingMs : connectionMs;
    this.#again = false;
    this.#timer = setTimeout(() => void this.check(), ms);
  }

  async #check(): Promise<boolean> {
    const { times, isConnected, ping, isLoginPending } = this.#o;
    const streamError = this.#streamError;
    const up = await withTimeout(times.probeMs, 'the connection check', isConnected()).catch(() => null);
    const answer =
      up !== null && (await withTimeout(times.probeMs + times.pingMs, 'a ping', ping()).catch(() => null));
    if (this.#ready === null) return false;
    if (up === null || !answer) {
      this.#unresponsive();
      return false;
    }
    this.#answeredAt = performance.now();
    if (up && answer === 'answered' && isLoginPending()) this.#judge(false, 'disconnected');
    else if (up && answer === 'answered') {
      // One that came during this check is newer than its answer.
      if (this.#streamError === streamError) this.#streamError = null;
      this.#back();
      return true;
    } else this.#judge(up, answer);
    return false;
  }

  /** Decides what a check means that found no connection. */
  #judge(up: boolean, answer: PingResult): void {
    const { times, end, isRefused } = this.#o;
    // Upstream: not reported (docs/upstream.md)
    if (this.#streamError === REPLACED) end({ state: 'conflict' });
    else if (this.wiped) this.#down('wiped', times.wipedMs);
    else if (isRefused()) this.#down('cut', Number.POSITIVE_INFINITY);
    // A connection that stops permanently, with nothing else changed, was replaced by another page.
    else if (answer === 'stopped' && this.#downForMs() > times.replacedMs) end({ state: 'conflict' });
    else if (up) this.#down('silent', times.silentMs);
    else this.#down('cut', this.#outage?.kind === 'silent' ? times.silentMs : times.cutMs);
  }

  #down(kind: Outage, limitMs: number): void {
    const { times, site, onState, end, isRefused } = this.#o;
    // After a refused login or an ended link the page acts on its own, so it is not made to reconnect.
    if (kind === 'wiped' || isRefused()) site.leave(this.#waitingPage);
    else site.join(this.#waitingPage);
    const first = this.#outage?.kind ?? kind;
    this.#outage = {
      kind: kind === 'wiped' ? kind : first,
      since: this.#outage?.since ?? performance.now(),
    };
    const isBrief = kind === 'cut' && BRIEF.test(this.#streamError ?? '');
    if (this.#isOver(kind, limitMs))
      end({
        state: 'gone',
        reason: `the connection is down (${kind})`,
        ...(this.wiped ? { linkEnded: true } : {}),
      });
    else if (!isBrief || this.#downForMs() > times.briefMs) {
      this.#reported = true;
      onState({ state: 'waiting', cause: { code: CAUSES[kind] } });
    }
  }

  /** Time without an answer of the site does not count, up to `unreachableMs`: a new browser would not help. */
  #isOver(kind: Outage, limitMs: number): boolean {
    const { times, site } = this.#o;
    const now = performance.now();
    const unreachable = site.unreachable && kind !== 'wiped' && this.#downForMs() <= times.unreachableMs;
    if (unreachable) this.#unreachableAt = now;
    return !unreachable && now - Math.max(this.#outage?.since ?? now, this.#unreachableAt) > limitMs;
  }

  #back(): void {
    this.#o.site.leave(this.#waitingPage);
    this.#outage = null;
    this.#reported = false;
    if (this.#ready) this.#o.onState(this.#ready);
  }

  /** The page does not answer. Probes detect this in a connected page; a disconnected one is ended here. */
  #unresponsive(): void {
    const { times, end } = this.#o;
    const down = this.#reported || this.#outage !== null;
    if (down && performance.now() - this.#answeredAt > times.unresponsiveMs)
      end({ state: 'gone', reason: 'the page does not answer' });
  }

  /** How long the page has been disconnected, in ms. */
  #downForMs(): number {
    return this.#outage ? performance.now() - this.#outage.since : 0;
  }
}
