// Over 300 lines: it connects the parts of a session, which share its state and its one way to end.
import { isDeepStrictEqual } from 'node:util';
import {
  BUILD_LEFT,
  type EngineSession,
  type EngineState,
  type Group,
  type LookUp,
  type NumberLimits,
  type Outgoing,
  type SessionEvents,
  type SessionOptions,
} from '#server/core/engine.ts';
import type { Log } from '#server/platform/log.ts';
import { blaming, unblamed } from './blame.ts';
import { BuildWatch } from './build-watch.ts';
import { asError, within } from './deadline.ts';
import { Groups } from './groups.ts';
import { HealthWatch } from './health-watch.ts';
import type { Client, Submission, Wiring } from './library.ts';
import { LineWatch } from './line-watch.ts';
import { Linking } from './linking.ts';
import { LoginWatch } from './login-watch.ts';
import { mendStorage } from './mend-storage.ts';
import { Outbox } from './outbox.ts';
import { OwnBrowser } from './own-browser.ts';
import { findOwnMessage } from './own-messages.ts';
import { look, mute, refreshQr, tellSynced, UNHEARD_EVENTS } from './page.ts';
import { PageGate } from './page-gate.ts';
import { doesSiteAnswer, isLineUp, LINE_CHANGED, pingServer, reconnectNow, watchLine } from './page-line.ts';
import { unpair } from './page-login.ts';
import { PageWatch } from './page-watch.ts';
import { People } from './people.ts';
import { demandRoom, prepareProfile, removeProfile } from './profile.ts';
import { Readiness } from './readiness.ts';
import { SelfTest } from './self-test.ts';
import { Sending } from './sending.ts';
import type { SiteWatch } from './site-watch.ts';
import { type EndState, endOf } from './states.ts';
import type { EngineTimes } from './times.ts';

export interface SessionParams {
  options: SessionOptions;
  events: SessionEvents;
  times: EngineTimes;
  log: Log;
  /** Of all sessions of one network in this process. */
  site: SiteWatch;
  connect(wiring: Wiring): Client;
  compose(message: Outgoing): Promise<Submission>;
}

/** How many messages of a chat are looked through for one of ours that is not found by its key. */
const EARLIER_MAX = 300;

/**
 * One client of the library, from its browser's start to its end. A session is used once: after it has told
 * one of the states that end it, or was stopped, the next one is opened anew. The states that end it close
 * the browser by themselves; `stop` then only waits for that.
 */
export class WhatsAppSession implements EngineSession {
  readonly #p: SessionParams;
  readonly #groups: Groups;
  readonly #outbox: Outbox;
  readonly #gate: PageGate;
  readonly #login: LoginWatch;
  readonly #watch: PageWatch;
  readonly #line: LineWatch;
  readonly #health: HealthWatch;
  readonly #browser: OwnBrowser;
  readonly #people: People;
  readonly #selfTest: SelfTest;
  readonly #readiness: Readiness;
  readonly #linking: Linking;
  readonly #sending: Sending;
  readonly #builds: BuildWatch;
  /** Rejects when a start has to be given up. */
  readonly #givenUp = Promise.withResolvers<never>();
  /** Resolves when it is clear what became of the start: linked, waiting for a phone, or over. */
  readonly #settled = Promise.withResolvers<void>();
  readonly #loggedOut = Promise.withResolvers<void>();
  #client: Client | null = null;
  #initialized: Promise<void> = Promise.resolve();
  #state: 'new' | 'starting' | 'open' | 'over' = 'new';
  #told: EngineState | null = null;
  #closing: Promise<void> | null = null;

  constructor(params: SessionParams) {
    this.#p = params;
    const { options, events, times } = params;
    this.#givenUp.promise.catch(() => {});
    this.#browser = new OwnBrowser(options.profileDir, params.log);
    this.#outbox = new Outbox({
      mayDispatch: async (id) => (await this.#gate.check()) && unblamed(() => options.mayDispatch(id)),
      askMs: times.callMs,
      ack: (id, ack, code) => unblamed(() => events.ack(id, ack, code)),
      notSent: (id, failure) => unblamed(() => events.notSent(id, failure)),
      onJobUnheard: (asked) => this.#selfTest.jobUnheard(asked),
    });
    this.#gate = new PageGate({
      times,
      outbox: this.#outbox,
      page: () => this.#browser.page(),
      onAsked: (id) => this.#selfTest.asked(id),
      onLeft: () => {
        if (this.#login.leaving) this.#end({ state: 'logged_out', cause: this.#login.cause });
        else this.#lost('the page was loaded again');
      },
    });
    this.#people = new People({
      log: params.log,
      page: () => this.#browser.page(),
      call: (what, work) => this.#call(what, work),
    });
    this.#selfTest = new SelfTest({
      times,
      log: params.log,
      page: () => this.#browser.page(),
      people: this.#people,
    });
    this.#readiness = new Readiness({
      log: params.log,
      gate: this.#gate,
      selfTest: this.#selfTest,
      page: () => this.#browser.page(),
      onBuild: (version) => this.#builds.judged(version),
      onTested: (result) => unblamed(() => events.selfTest?.(result)),
      isOver: () => this.#over,
      call: (what, work) => this.#call(what, work),
      onProven: (ready) => this.#watchLine(ready),
      onChanged: (state) => {
        this.#outbox.distrust();
        // A build that may send behind our back is closed at once.
        this.#end(state, { closeMs: 0 });
      },
      onLost: (reason, error) => this.#lost(reason, error),
    });
    this.#login = new LoginWatch({
      times,
      tell: (state) => this.#tell(state),
      end: (state, ended) => this.#end(state, ended),
      onLeaving: () => {
        this.#gate.close();
        this.#line.stop();
      },
      onStreamEnded: (streamError) => {
        // A message that WhatsApp's server cannot read never passes: which one it is can only be known here.
        params.log.warn({ streamError, unanswered: this.#outbox.silent() }, 'WhatsApp ended the stream');
        this.#line.streamEnded(streamError);
      },
      onLoaded: (version) => {
        if (!this.#over) void this.#builds.loaded(version);
      },
    });
    this.#builds = new BuildWatch({
      kept: options.build ?? null,
      log: params.log,
      times,
      ask: (seen) => unblamed(() => events.build?.(seen)),
      leave: () => this.#end({ state: 'gone', reason: BUILD_LEFT }, { said: true }),
      onWithdrawn: () => this.#lost('the scripts of this build are not served any more'),
    });
    this.#health = new HealthWatch({
      callMs: times.callMs,
      log: params.log,
      page: () => this.#browser.page(),
      events,
    });
    this.#groups = new Groups({ times, log: params.log, page: () => this.#browser.page() });
    this.#watch = new PageWatch({
      times,
      look: () => this.#browser.page().evaluate(look),
      refreshQr: () => this.#browser.page().evaluate(refreshQr),
      tellSynced: () => this.#browser.page().evaluate(tellSynced),
      isElsewhere: () => this.#login.refusal !== null || this.#login.leaving,
      tell: (state) => this.#tell(state),
      end: (state) => this.#end(state),
    });
    this.#line = new LineWatch({
      times,
      isUp: () => this.#browser.page().evaluate(isLineUp),
      ping: () => this.#browser.page().evaluate(pingServer, times.pingMs),
      tell: (state) => this.#tell(state),
      end: (state) => this.#end(state),
      isRefused: () => this.#login.refusal !== null,
      site: params.site,
      siteAnswers: () => this.#askSite(),
      reconnect: () => void this.#reconnect(),
    });
    this.#linking = new Linking({
      times,
      watch: this.#watch,
      page: () => this.#browser.page(),
      isOver: () => this.#over,
      call: (what, work, ms) => this.#call(what, work, ms),
      onQr: (qr, expiresAt) => {
        this.#tell({ state: 'qr' });
        events.qr(qr, expiresAt);
      },
    });
    this.#sending = new Sending({
      times,
      log: params.log,
      gate: this.#gate,
      readiness: this.#readiness,
      line: this.#line,
      groups: this.#groups,
      outbox: this.#outbox,
      client: () => this.#client,
      compose: (message) => params.compose(message),
    });
  }

  async start(): Promise<void> {
    if (this.#state !== 'new') throw new Error('a session is started once');
    this.#state = 'starting';
    const { profileDir } = this.#p.options;
    try {
      await prepareProfile(profileDir);
      await demandRoom(profileDir);
      const cut = await mendStorage(profileDir);
      if (cut > 0) this.#p.log.warn({ files: cut }, 'records that a full disk cut off were removed');
      const initialized = blaming(
        (error) => this.#lost('something failed inside the library', error),
        () => this.#initialize(),
      );
      this.#initialized = initialized.catch(() => {});
      await within(this.#p.times.startMs, 'the start', Promise.race([initialized, this.#givenUp.promise]));
      if (this.#over) await this.#givenUp.promise;
    } catch (thrown) {
      this.#state = 'over';
      await this.#close();
      throw asError(thrown);
    }
    this.#state = 'open';
    if (!this.#gate.standing) this.#watch.start();
  }

  async stop({ withinMs = Number.POSITIVE_INFINITY } = {}): Promise<void> {
    if (this.#state === 'new') this.#closing = Promise.resolve();
    this.#state = 'over';
    this.#givenUp.reject(new Error('stopped'));
    await this.#close({ withinMs });
  }

  async unlink(): Promise<boolean> {
    const gone = await this.#logOut().catch((error: unknown) => {
      this.#p.log.warn({ err: error }, 'WhatsApp was not told that the device is gone');
      return false;
    });
    await this.stop();
    await removeProfile(this.#p.options.profileDir);
    return gone;
  }

  requestPairingCode(phone: string): Promise<string> {
    return this.#linking.requestCode(phone);
  }

  lookUp(digits: string): Promise<LookUp> {
    return this.#people.lookUp(digits);
  }

  canAddress(digits: string): Promise<boolean> {
    return this.#people.canAddress(digits);
  }

  send(message: Outgoing): Promise<void> {
    return this.#sending.send(message);
  }

  async probe(): Promise<boolean> {
    if (!(await this.#gate.check())) return false;
    const silent = this.#outbox.silent();
    const connected = await this.#line.check();
    if (connected) this.#outbox.trust(silent);
    return connected && this.#gate.standing;
  }

  async reconcile({
    waMessageId,
    recipient,
  }: Parameters<EngineSession['reconcile']>[0]): Promise<number | null> {
    const wanted = { waMessageId, chatId: recipient, earlierMax: EARLIER_MAX };
    const find = () => this.#browser.page().evaluate(findOwnMessage, wanted);
    return this.#call('the reconciliation', find, this.#p.times.reconcileMs);
  }

  async listGroups(): Promise<Group[]> {
    return this.#call('the groups', () => this.#groups.list());
  }

  async health({ ask = false }: { ask?: boolean } = {}): Promise<NumberLimits> {
    return this.#call('the restrictions', () => this.#health.read(ask));
  }

  get #over(): boolean {
    return this.#state === 'over';
  }

  async #initialize(): Promise<void> {
    const client = this.#p.connect({
      profileDir: this.#p.options.profileDir,
      onBrowser: async (browser, page) => {
        this.#browser.take(browser, page, {
          lost: (reason, error) => this.#lost(reason, error),
          navigated: () => this.#gate.navigated(),
        });
        await page
          .exposeFunction(LINE_CHANGED, () => this.#line.changed())
          .catch((error: unknown) => this.#p.log.debug({ err: error }, 'the line is only looked at'));
        // The library calls this once more when a logged out page is left, and nobody awaits it then.
        await page
          .evaluateOnNewDocument(mute, UNHEARD_EVENTS)
          .catch((error: unknown) => this.#p.log.debug({ err: error }, 'the page tells what nobody hears'));
        await this.#builds.watch(page);
        await this.#login
          .tap(page)
          .catch((error: unknown) => this.#p.log.warn({ err: error }, 'refused logins are not recognised'));
      },
      // A page that was left again while it was injected fails, too; the watch sees whether one comes up.
      onInjectionFailed: (error) => this.#p.log.warn({ err: asError(error) }, 'injection failed'),
      signal: this.#browser.signal,
    });
    this.#client = client;
    const { events } = this.#p;
    // Each of these can come more than once: the library injects itself into every page that is loaded.
    client.on('qr', (qr) => void this.#linking.shown(qr));
    client.on('code', (code) => unblamed(() => events.pairingCode?.(code)));
    client.on('loading_screen', (percent) => this.#onProgress(Number(percent)));
    client.on('ready', () => void this.#readiness.ready(client));
    client.on('disconnected', (reason) => this.#onDisconnected(reason));
    // Until the gate stands; from then on it tells them itself.
    client.on('message_ack', ({ id }, ack) => {
      if (id.fromMe) this.#outbox.acknowledged(id.id, ack);
    });
    await client.initialize();
  }

  #onProgress(percent: number): void {
    if (this.#gate.standing) return;
    this.#watch.progress();
    this.#tell({ state: 'syncing', percent });
  }

  /** Reports it as ready once its line has proved good, and until then why it waits. */
  async #watchLine(ready: EngineState): Promise<void> {
    this.#watch.stop();
    this.#line.start(ready);
    await this.#call('the watch over the line', () => this.#browser.page().evaluate(watchLine)).catch(
      (error: unknown) => this.#p.log.warn({ err: error }, 'the line is only looked at'),
    );
    await this.#line.check();
    void this.#groups.fetchAhead();
    await this.#health.begin();
  }

  #askSite(): Promise<boolean> {
    const { siteMs } = this.#p.times;
    const ask = () => this.#browser.page().evaluate(doesSiteAnswer, siteMs);
    return this.#call('whether the site answers', ask, 2 * siteMs);
  }

  async #reconnect(): Promise<void> {
    this.#p.log.info('WhatsApp’s site answers again: the page connects now');
    await this.#call('the reconnection', () => this.#browser.page().evaluate(reconnectNow)).catch(() => {});
  }

  #onDisconnected(reason: string): void {
    if (reason === 'LOGOUT') {
      this.#loggedOut.resolve();
      this.#end({ state: 'logged_out', cause: this.#login.cause });
    } else this.#end(endOf(reason) ?? { state: 'gone', reason: `WhatsApp Web: ${reason}` });
  }

  /** True when no device of this profile is left at WhatsApp, as far as can be known. */
  async #logOut(): Promise<boolean> {
    const { unlinkMs } = this.#p.times;
    const until = performance.now() + unlinkMs;
    if (this.#state === 'starting' || this.#state === 'open') {
      await within(unlinkMs, 'the stored session', this.#settled.promise);
    }
    const told = this.#told?.state;
    if (told === 'qr' || told === 'passkey' || told === 'logged_out') return true;
    if (!this.#gate.standing) throw new Error('the session is not ready');
    this.#state = 'over';
    this.#gate.close();
    // Asked directly: the library's logout closes the browser before the page has asked. A page that has logged out
    // meanwhile does not answer any more.
    // Upstream: #6579 (docs/upstream.md)
    const removed = Promise.any([this.#browser.page().evaluate(unpair), this.#loggedOut.promise]);
    await within(Math.max(1_000, until - performance.now()), 'logging out', removed);
    return true;
  }

  #lost(reason: string, error?: Error): void {
    if (this.#over) return;
    this.#p.log.warn({ reason, err: error }, 'the session is lost');
    this.#end({ state: 'gone', reason, ...(this.#line.wiped ? { linkEnded: true } : {}) });
  }

  #end(
    state: EndState,
    { linkGone = state.state === 'logged_out', closeMs = Number.POSITIVE_INFINITY, said = false } = {},
  ): void {
    if (this.#over) return;
    const starting = this.#state === 'starting';
    this.#state = 'over';
    this.#gate.close();
    // Before anybody who waits for an answer is told that the session is lost.
    this.#outbox.end();
    // What ends a start is told by its rejection alone, unless a person has to know or it was asked for.
    if (said || !starting || state.state !== 'gone') this.#tell(state);
    this.#givenUp.reject(new Error(state.state === 'gone' ? state.reason : state.state));
    void this.#close({ removing: linkGone, withinMs: closeMs });
  }

  #close({ removing = false, withinMs = Number.POSITIVE_INFINITY } = {}): Promise<void> {
    this.#gate.close();
    this.#outbox.end();
    this.#settled.resolve();
    this.#watch.stop();
    this.#selfTest.stop();
    this.#login.stop();
    this.#line.stop();
    this.#closing ??= this.#endBrowser(removing, withinMs);
    return this.#closing;
  }

  async #endBrowser(removing: boolean, withinMs: number): Promise<void> {
    const { options, times, log } = this.#p;
    await this.#browser.end(this.#client, this.#initialized, Math.min(times.closeMs, withinMs));
    if (!removing) return;
    await removeProfile(options.profileDir).catch((error: unknown) => {
      log.error({ err: error }, 'the profile of a logged out number could not be removed');
    });
  }

  #tell(seen: EngineState): void {
    const told = this.#told;
    const { refusal } = this.#login;
    // Why it is not connected says more than that it is not.
    const away = refusal !== null && (seen.state === 'syncing' || seen.state === 'waiting');
    const state: EngineState = away ? { state: 'waiting', reason: refusal } : seen;
    const stillSyncing = state.state === 'syncing' && state.percent === null && told?.state === 'syncing';
    if (stillSyncing || isDeepStrictEqual(told, state)) return;
    this.#told = state;
    if (state.state === 'ready' || state.state === 'qr' || state.state === 'passkey') this.#settled.resolve();
    unblamed(() => this.#p.events.state(state));
  }

  async #call<T>(what: string, work: (client: Client) => Promise<T>, ms = this.#p.times.callMs): Promise<T> {
    const client = this.#client;
    if (!client || this.#over) throw new Error(`${what}: the session has ended`);
    return within(ms, what, work(client));
  }
}
