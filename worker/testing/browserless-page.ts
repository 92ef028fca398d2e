import { isDeepStrictEqual } from 'node:util';
import type { EngineState } from '#server/core/engine.ts';
import { ConnectionWatch } from '../engine/connection-watch.ts';
import type { LoginRefusal } from '../engine/login-refusals.ts';
import { LoginWatch } from '../engine/login-watch.ts';
import type { PingResult } from '../engine/page/connection.ts';
import { SiteWatch } from '../engine/site-watch.ts';
import type { EndState } from '../engine/states.ts';
import type { EngineTimes } from '../engine/times.ts';

/** How the server ends a page's stream. */
export type StreamError =
  | '500'
  | '503'
  | '515'
  | '516'
  | 'xml-not-well-formed'
  | 'replaced'
  | 'device_removed';

interface PageOptions {
  times: EngineTimes;
  /** How the server refuses the page's login now; null if it accepts it. */
  refusal(): LoginRefusal | null;
  /** The server, or the page, has ended the link. */
  forgetLink(): void;
  onState(state: EngineState): void;
}

/** The page's delay before it logs in again, reloads, or has wiped itself. */
const STEP_MS = 20;

/**
 * A linked page without a browser: refused logins, ended streams and logouts. The engine's own watches handle its
 * reports, as they do for a real page.
 */
export class BrowserlessPage {
  readonly #o: PageOptions;
  readonly #login: LoginWatch;
  readonly #connection: ConnectionWatch;
  readonly #timers = new Set<NodeJS.Timeout>();
  #ping: PingResult = 'answered';
  #ready: EngineState | null = null;
  #last: EngineState | null = null;
  #over = false;

  constructor(options: PageOptions) {
    this.#o = options;
    const { times } = options;
    const onState = (state: EngineState) => this.#onState(state);
    const end = (state: EndState, { linkGone = state.state === 'logged_out' } = {}) => {
      if (linkGone) options.forgetLink();
      this.#end(state);
    };
    this.#login = new LoginWatch({
      times,
      onState,
      end,
      onLeaving: () => this.#connection.stop(),
      onLoaded: () => {},
      onStreamEnded: (error) => this.#connection.streamEnded(error),
    });
    this.#connection = new ConnectionWatch({
      times,
      isConnected: async () => this.#ping === 'answered' || this.#ping === 'silent',
      ping: async () => this.#ping,
      onState,
      end,
      isLoginPending: () => this.#login.pending,
      isRefused: () => this.#login.refusal !== null,
      site: new SiteWatch(times),
      isSiteReachable: async () => true,
      reconnect: () => {},
    });
  }

  get connected(): boolean {
    return this.#ping === 'answered' && !this.#login.leaving && !this.#over;
  }

  /** Logs in, and retries if the server refuses. `tested`: its state once it is accepted. */
  logIn(tested: () => EngineState): void {
    const refusal = this.#o.refusal();
    if (refusal === null) {
      this.#accepted(this.#ready ?? tested());
      return;
    }
    this.#login.report({ kind: 'refused', ...refusal });
    this.#later(() => this.logIn(tested));
  }

  /**
   * The server ends the stream. Depending on the error, the page reconnects, stops permanently, or wipes itself.
   */
  streamEnds(error: StreamError, { wipeHangs = false } = {}): void {
    const ready = this.#ready;
    if (ready === null) return;
    if (error === 'device_removed') {
      this.#login.report({ kind: 'leaving' });
      this.#login.report({ kind: 'logout', reason: null });
      return;
    }
    const stops = error === 'replaced' || error === '516';
    this.#ping = stops ? 'stopped' : 'disconnected';
    this.#connection.start(ready);
    this.#login.report({ kind: 'stream ended', error });
    if (error === '516' && wipeHangs) this.#o.forgetLink();
    else if (error === '516') this.#wipe();
    if (!stops) this.#later(() => this.logIn(() => ready));
  }

  /** Its connection is cut, or the server falls silent, until {@link restore}. */
  cut({ silently = false } = {}): void {
    if (this.#ready === null) return;
    this.#ping = silently ? 'silent' : 'disconnected';
    this.#connection.start(this.#ready);
    this.#connection.changed();
  }

  restore(): void {
    if (this.#ready) this.#accepted(this.#ready);
  }

  /** The page logs out, and reports why. */
  logOut(reason: string | null): void {
    if (reason === null) {
      this.streamEnds('device_removed');
      return;
    }
    this.#login.report({ kind: 'leaving' });
    this.#login.report({ kind: 'logout', reason });
    this.#wipe();
  }

  stop(): void {
    this.#over = true;
    this.#login.stop();
    this.#connection.stop();
    for (const timer of this.#timers) clearTimeout(timer);
  }

  #accepted(ready: EngineState): void {
    this.#ping = 'answered';
    this.#login.report({ kind: 'accepted' });
    this.#connection.stop();
    if (this.#ready === null) this.#onState({ state: 'syncing', percent: 100 });
    this.#ready = ready;
    this.#onState(ready);
  }

  /** It deletes its link and reloads, which ends a session that was ready. */
  #wipe(): void {
    this.#later(() => {
      this.#o.forgetLink();
      if (this.#login.leaving) this.#end({ state: 'logged_out', reason: this.#login.logoutReason });
      else if (this.#connection.wiped)
        this.#end({ state: 'gone', reason: 'the page was loaded again', linkEnded: true });
    });
  }

  #later(task: () => void): void {
    const timer = setTimeout(() => {
      this.#timers.delete(timer);
      if (!this.#over) task();
    }, STEP_MS);
    this.#timers.add(timer);
  }

  #end(state: EndState): void {
    if (this.#over) return;
    this.#onState(state);
    this.stop();
  }

  #onState(seen: EngineState): void {
    const { refusal } = this.#login;
    const away = refusal !== null && (seen.state === 'syncing' || seen.state === 'waiting');
    const state: EngineState = away ? { state: 'waiting', cause: refusal } : seen;
    if (this.#over || isDeepStrictEqual(this.#last, state)) return;
    this.#last = state;
    this.#o.onState(state);
  }
}
