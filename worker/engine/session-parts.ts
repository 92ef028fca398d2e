import {
  BUILD_LEFT,
  type EngineState,
  type SessionEvents,
  type SessionOptions,
} from '#server/core/engine.ts';
import { SendError } from '#server/core/send-failures.ts';
import type { Log } from '#server/platform/log.ts';
import { BuildWatch } from './build-watch.ts';
import { ConnectionWatch } from './connection-watch.ts';
import { watchDialogsOf } from './dialog-watch.ts';
import { Groups } from './groups.ts';
import { HealthWatch } from './health-watch.ts';
import type { Client, Page, PageBrowser, Wiring } from './library.ts';
import { runOwnCode } from './library-errors.ts';
import { Linking } from './linking.ts';
import { LoginWatch } from './login-watch.ts';
import { LookUps } from './look-ups.ts';
import { Outbox } from './outbox.ts';
import {
  CONNECTION_CHANGED,
  isConnected,
  isSiteReachable,
  pingServer,
  reconnectNow,
  watchConnection,
} from './page/connection.ts';
import { IGNORED_EVENTS, ignoreEvents, readPageState, refreshQr, reportSynced } from './page/state.ts';
import { PageGate } from './page-gate.ts';
import { PageWatch } from './page-watch.ts';
import { Passkey } from './passkey.ts';
import { Readiness } from './readiness.ts';
import { SelfTest } from './self-test.ts';
import { Sending } from './sending.ts';
import { SessionBrowser } from './session-browser.ts';
import type { SiteWatch } from './site-watch.ts';
import type { EndState } from './states.ts';
import type { EngineTimes } from './times.ts';
import type { WaitingFiles } from './waiting-files.ts';

export interface SessionParams {
  options: SessionOptions;
  events: SessionEvents;
  times: EngineTimes;
  log: Log;
  /** Such as `156.0.8078.79`; null if it is not known. */
  browserVersion: string | null;
  /** Shared by all sessions of one network in this process. */
  site: SiteWatch;
  /** Shared by all sessions in this process. */
  waitingFiles: WaitingFiles;
  connect(wiring: Wiring): Client;
  /** What the browser writes when it does not start. */
  lastWords(): Promise<string>;
}

export interface EndOptions {
  /** The stored session is no longer valid: the profile is removed. */
  linkGone?: boolean;
  /** The end is reported as a state even during the start. */
  reported?: boolean;
  /** For the log, and for the reason of a start that failed. */
  cause?: Error | undefined;
}

export interface SessionHost {
  isOver(): boolean;
  /** The page that starts does something. */
  onProgress(): void;
  onState(state: EngineState): void;
  end(state: EndState, options?: EndOptions): void;
  lost(reason: string, error?: Error): void;
  /** Runs a call into the page, with a time limit. */
  call<T>(what: string, work: (client: Client) => Promise<T>, ms?: number): Promise<T>;
}

/** Creates the parts of one session and passes events between them. */
export class SessionParts {
  readonly #params: SessionParams;
  readonly #host: SessionHost;
  readonly browser: SessionBrowser;
  readonly outbox: Outbox;
  readonly gate: PageGate;
  readonly lookUps: LookUps;
  readonly selfTest: SelfTest;
  readonly readiness: Readiness;
  readonly login: LoginWatch;
  readonly builds: BuildWatch;
  readonly health: HealthWatch;
  readonly groups: Groups;
  readonly watch: PageWatch;
  readonly connection: ConnectionWatch;
  readonly linking: Linking;
  readonly passkey: Passkey;
  readonly sending: Sending;

  constructor(params: SessionParams, host: SessionHost) {
    this.#params = params;
    this.#host = host;
    const { options, events, times, log } = params;
    const { onState } = host;
    const end = (state: EndState, ended?: EndOptions) => host.end(state, ended);
    const page = () => this.browser.page();
    this.browser = new SessionBrowser(options.profileDir, log);
    this.outbox = new Outbox({
      mayDispatch: async (id) => (await this.gate.check()) && runOwnCode(() => options.mayDispatch(id)),
      askMs: times.callMs,
      ack: (id, ack, code) => runOwnCode(() => events.ack(id, ack, code)),
      notSent: (id, failure) => runOwnCode(() => events.notSent(id, failure)),
      onFileWaits: (id) => params.waitingFiles.add(id),
      onJobSilent: (asked) => this.selfTest.jobSilent(asked),
    });
    this.gate = new PageGate({
      times,
      outbox: this.outbox,
      page,
      onAsked: (id) => this.selfTest.asked(id),
      onHeldBack: (id) => this.#heldBack(id),
      onLeft: () => {
        if (this.login.leaving) end({ state: 'logged_out', reason: this.login.logoutReason });
        else host.lost('the page was loaded again');
      },
    });
    this.lookUps = new LookUps({ log, page, call: host.call });
    this.groups = new Groups({ times, log, page });
    this.selfTest = new SelfTest({
      times,
      log,
      page,
      lookUps: this.lookUps,
      groups: this.groups,
      build: () => this.builds.version,
    });
    this.readiness = new Readiness({
      times,
      log,
      gate: this.gate,
      selfTest: this.selfTest,
      page,
      onBuild: (version) => this.builds.judged(version),
      onTested: (result) => runOwnCode(() => events.selfTest?.(result)),
      isStanzaSeen: () => this.login.stanzaSeen,
      isOver: host.isOver,
      call: host.call,
      onProven: (ready) => this.#onProven(ready),
      onChanged: (state) => {
        this.outbox.distrust();
        end(state);
      },
      onLost: host.lost,
    });
    this.login = new LoginWatch({
      times,
      onState,
      end,
      onAccepted: () => this.connection.changed(),
      onLeaving: () => {
        this.gate.close();
        this.connection.stop();
      },
      onStreamEnded: (streamError) => {
        // The server also ends the stream when it cannot read a message. Only this line shows which one.
        log.warn({ streamError, unanswered: this.outbox.unanswered() }, 'WhatsApp ended the stream');
        this.connection.streamEnded(streamError);
      },
      onLoaded: (version) => {
        this.passkey.end();
        if (!host.isOver()) void this.builds.loaded(version);
      },
    });
    this.builds = new BuildWatch({
      kept: options.build ?? null,
      log,
      times,
      ask: (seen) => runOwnCode(() => events.build?.(seen)),
      leave: () => end({ state: 'gone', reason: BUILD_LEFT }, { reported: true }),
      onWithdrawn: () => host.lost('the scripts of this build are not served any more'),
    });
    this.health = new HealthWatch({ callMs: times.callMs, log, page, events });
    this.watch = new PageWatch({
      times,
      log,
      readState: () => page().evaluate(readPageState),
      refreshQr: () => page().evaluate(refreshQr),
      reportSynced: () => page().evaluate(reportSynced),
      isLoginHandled: () => this.login.refusal !== null || this.login.leaving,
      isPasskeyAsked: (seen) => this.passkey.see(seen),
      onState,
      end,
    });
    this.connection = new ConnectionWatch({
      times,
      isConnected: () => page().evaluate(isConnected),
      ping: () => page().evaluate(pingServer, times.pingMs),
      onState,
      end,
      isLoginPending: () => this.login.pending,
      isRefused: () => this.login.refusal !== null,
      site: params.site,
      isSiteReachable: () => {
        const ask = () => page().evaluate(isSiteReachable, times.siteMs);
        return host.call('whether the site answers', ask, 2 * times.siteMs);
      },
      reconnect: () => {
        log.info('WhatsApp’s site answers again; the page reconnects now');
        host.call('the reconnection', () => page().evaluate(reconnectNow)).catch(() => {});
      },
    });
    this.passkey = new Passkey({ times, log, page, onState });
    this.linking = new Linking({
      times,
      log,
      watch: this.watch,
      isPasskeyAsked: () => this.passkey.asked,
      isOver: host.isOver,
      wasReady: () => this.gate.installed,
      build: () => this.builds.version,
      call: host.call,
      onQr: (qr, expiresAt) => {
        onState({ state: 'qr' });
        events.qr(qr, expiresAt);
      },
    });
    this.sending = new Sending({
      times,
      log,
      gate: this.gate,
      readiness: this.readiness,
      connection: this.connection,
      groups: this.groups,
      outbox: this.outbox,
      page,
    });
  }

  /** A browser has started, and its page is still blank. */
  async onBrowser(browser: PageBrowser, page: Page): Promise<void> {
    const { log } = this.#params;
    const isNew = this.browser.attach(browser, page, {
      lost: this.#host.lost,
      navigated: () => this.gate.navigated(),
    });
    // The library calls this again, without awaiting it, when a logged-out page navigates.
    if (!isNew) return;
    const onProgress = () => this.#host.onProgress();
    onProgress();
    page.on('response', onProgress).on('requestfinished', onProgress).on('load', onProgress);
    await this.gate.prepare(page);
    await page
      .exposeFunction(CONNECTION_CHANGED, () => this.connection.changed())
      .catch((error: unknown) => log.debug({ err: error }, 'the page does not report connection changes'));
    await page
      .evaluateOnNewDocument(ignoreEvents, IGNORED_EVENTS)
      .catch((error: unknown) => log.debug({ err: error }, 'the page sends events that are not used'));
    await this.builds.watch(page);
    await watchDialogsOf(page, log, () => this.builds.version).catch((error: unknown) =>
      log.debug({ err: error }, 'the dialogs of the page are not watched'),
    );
    await this.linking.tap(page);
    await this.login
      .tap(page)
      .catch((error: unknown) => log.warn({ err: error }, 'refused logins are not recognised'));
    await this.passkey
      .tap(page)
      .catch((error: unknown) => log.warn({ err: error }, 'requests for a passkey are not passed on'));
  }

  /** An earlier document may have written the message, unless its session saw that it only waited. */
  #heldBack(waMessageId: string): void {
    const { log, events, waitingFiles } = this.#params;
    if (this.selfTest.heldBack(waMessageId)) return;
    log.warn({ waMessageId }, 'the page wanted to send an earlier message on its own, and was held back');
    if (!waitingFiles.delete(waMessageId)) return;
    const failure = new SendError(true, 'disconnected', 'the session ended before it was written');
    runOwnCode(() => events.notSent(waMessageId, failure));
  }

  /** Stops everything but the browser. */
  stop(): void {
    this.gate.close();
    this.outbox.end();
    this.passkey.end();
    this.watch.stop();
    this.selfTest.stop();
    this.login.stop();
    this.connection.stop();
  }

  /** Reports `ready` once the connection works, and until then why it waits. */
  async #onProven(ready: EngineState): Promise<void> {
    this.watch.stop();
    this.connection.start(ready);
    const watching = this.#host.call('the connection watch', () =>
      this.browser.page().evaluate(watchConnection),
    );
    await watching.catch((error: unknown) =>
      this.#params.log.warn({ err: error }, 'the page does not report connection changes'),
    );
    await this.connection.check();
    void this.groups.prefetch();
    await this.health.begin();
  }
}
