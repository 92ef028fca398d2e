import type { EngineState } from '#server/core/engine.ts';
import { within } from './deadline.ts';
import type { PingResult } from './page-line.ts';
import type { SiteWatch, WaitingPage } from './site-watch.ts';
import type { EndState } from './states.ts';
import type { EngineTimes } from './times.ts';

interface LineWatchOptions {
  times: EngineTimes;
  isUp(): Promise<boolean>;
  ping(): Promise<PingResult>;
  tell(state: EngineState): void;
  end(state: EndState): void;
  /** The login is refused: others decide how long the page may retry. */
  isRefused(): boolean;
  /** Whether the site answers at all, for all pages of the process. */
  site: Pick<SiteWatch, 'join' | 'leave' | 'away'>;
  siteAnswers(): Promise<boolean>;
  /** Makes the page connect now. */
  reconnect(): void;
}

/** Why a linked page is not connected, in words. */
const WORDS = {
  cut: 'The connection to WhatsApp is interrupted. WhatsApp Web reconnects automatically.',
  silent: 'WhatsApp does not answer right now. WhatsApp Web reconnects automatically.',
  wiped: 'WhatsApp is ending this link.',
} as const;
type Outage = keyof typeof WORDS;

/** The server ends streams with these in normal operation; the page is back within seconds. */
const IN_PASSING = /^(5\d\d|xml-not-well-formed)$/;
const REPLACED = 'replaced';
/** Ends the link: the page wipes itself. */
const WIPES = '516';

/**
 * Whether a page that was ready is really connected. Its state says CONNECTED on a cut line, with a silent
 * server and after another page has replaced it, so a ping confirms each look. Times are monotonic.
 */
export class LineWatch {
  readonly #o: LineWatchOptions;
  /** Its identity for {@link SiteWatch} while its line is down. */
  readonly #waitingPage: WaitingPage;
  #ready: EngineState | null = null;
  #timer: NodeJS.Timeout | undefined;
  #checking: Promise<boolean> | null = null;
  #again = false;
  #outage: { kind: Outage; since: number } | null = null;
  /** When the site was last seen not to answer. */
  #awayAt = Number.NEGATIVE_INFINITY;
  #reported = false;
  #answeredAt = 0;
  #streamError: string | null = null;

  constructor(options: LineWatchOptions) {
    this.#o = options;
    this.#waitingPage = {
      siteAnswers: () => options.siteAnswers(),
      reconnect: () => {
        if (!options.isRefused()) options.reconnect();
      },
    };
  }

  /** Not reported as down yet. */
  get up(): boolean {
    return !this.#reported;
  }

  /** The server has ended the link, and the page wipes itself. */
  get wiped(): boolean {
    return this.#streamError === WIPES;
  }

  /** The page is ready: reported again each time its line is back. */
  start(ready: EngineState): void {
    this.#ready = ready;
    this.#answeredAt = performance.now();
    this.#schedule();
  }

  stop(): void {
    this.#ready = null;
    clearTimeout(this.#timer);
    this.#o.site.leave(this.#waitingPage);
  }

  /**
   * The server has ended the stream with this: a code, or the kind of a conflict. Its page shows nothing of it.
   */
  streamEnded(error: string): void {
    this.#streamError = error;
    this.changed();
  }

  /** The page reports a change. */
  changed(): void {
    if (this.#ready === null) return;
    if (this.#checking) this.#again = true;
    else void this.check();
  }

  /** Looks now. True if the page is connected and the server answers. */
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
    const { lineMs, lineDownMs } = this.#o.times;
    const ms = this.#again ? 0 : this.#outage ? lineDownMs : lineMs;
    this.#again = false;
    this.#timer = setTimeout(() => void this.check(), ms);
  }

  async #check(): Promise<boolean> {
    const { times, isUp, ping } = this.#o;
    const up = await within(times.probeMs, 'a look at the line', isUp()).catch(() => null);
    const answer =
      up !== null && (await within(times.probeMs + times.pingMs, 'a ping', ping()).catch(() => null));
    if (this.#ready === null) return false;
    if (up === null || !answer) {
      this.#deaf();
      return false;
    }
    this.#answeredAt = performance.now();
    return this.#judge(up, answer);
  }

  #judge(up: boolean, answer: PingResult): boolean {
    const { times, end, isRefused } = this.#o;
    if (up && answer === 'answered') {
      this.#back();
      return true;
    }
    // Upstream: not reported (docs/upstream.md)
    if (this.#streamError === REPLACED) end({ state: 'conflict' });
    else if (this.wiped) this.#down('wiped', times.wipedMs);
    else if (isRefused()) this.#down('cut', Number.POSITIVE_INFINITY);
    // Only another page in its place stops a line for good and leaves everything else unchanged.
    else if (answer === 'stopped' && this.#lastsMs() > times.stoppedMs) end({ state: 'conflict' });
    else if (up) this.#down('silent', times.silentMs);
    else this.#down('cut', this.#outage?.kind === 'silent' ? times.silentMs : times.cutMs);
    return false;
  }

  #down(kind: Outage, limitMs: number): void {
    const { times, site, tell, end, isRefused } = this.#o;
    // The page itself handles a refused login and an ended link.
    if (kind === 'wiped' || isRefused()) site.leave(this.#waitingPage);
    else site.join(this.#waitingPage);
    const first = this.#outage?.kind ?? kind;
    this.#outage = {
      kind: kind === 'wiped' ? kind : first,
      since: this.#outage?.since ?? performance.now(),
    };
    const inPassing = kind === 'cut' && IN_PASSING.test(this.#streamError ?? '');
    if (this.#isOver(kind, limitMs))
      end({
        state: 'gone',
        reason: `the line is down (${kind})`,
        ...(this.wiped ? { linkEnded: true } : {}),
      });
    else if (!inPassing || this.#lastsMs() > times.inPassingMs) {
      this.#reported = true;
      tell({ state: 'waiting', reason: WORDS[kind] });
    }
  }

  /** A new browser would not reach an unresponsive site either, so this time does not count, up to a limit. */
  #isOver(kind: Outage, limitMs: number): boolean {
    const { times, site } = this.#o;
    const now = performance.now();
    const away = site.away && kind !== 'wiped' && this.#lastsMs() <= times.awayMs;
    if (away) this.#awayAt = now;
    return !away && now - Math.max(this.#outage?.since ?? now, this.#awayAt) > limitMs;
  }

  #back(): void {
    this.#o.site.leave(this.#waitingPage);
    this.#outage = null;
    this.#streamError = null;
    this.#reported = false;
    if (this.#ready) this.#o.tell(this.#ready);
  }

  /** The page does not answer. Probes detect this in a connected page; a waiting one is ended here. */
  #deaf(): void {
    const { times, end } = this.#o;
    if (this.#reported && performance.now() - this.#answeredAt > times.deafMs)
      end({ state: 'gone', reason: 'the page does not answer' });
  }

  /** How long it has been down, in ms. */
  #lastsMs(): number {
    return this.#outage ? performance.now() - this.#outage.since : 0;
  }
}
