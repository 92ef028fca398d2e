import { isDeepStrictEqual } from 'node:util';
import type {
  EngineSession,
  EngineState,
  Group,
  NumberLimits,
  Outgoing,
  TestedKinds,
} from '#server/core/engine.ts';
import type { MessageType } from '#server/core/message.ts';
import type { PageCheck } from '#server/core/page-check.ts';
import type { PasskeyReply } from '#server/core/passkey.ts';
import type { Address } from '#server/core/recipient.ts';
import type { SendError } from '#server/core/send-failures.ts';
import { BrowserStartError } from './browser-start-error.ts';
import { requireNoNewerBrowser } from './last-browser.ts';
import type { Client } from './library.ts';
import { runLibraryCode, runOwnCode } from './library-errors.ts';
import { REFUSED } from './outbox.ts';
import { unpair } from './page/login.ts';
import { describeModules, MODULES } from './page/modules.ts';
import { findOwnMessage } from './page/own-messages.ts';
import { prepareProfile, removeProfile, requireDiskSpace } from './profile.ts';
import { repairStorage } from './repair-storage.ts';
import { type EndOptions, type SessionParams, SessionParts } from './session-parts.ts';
import { StallLimit } from './stall-limit.ts';
import { type EndState, endedByPage, endOf } from './states.ts';
import { asError, withTimeout } from './timeout.ts';

/** How many of a chat's latest messages are searched for a message that is not found by its key. */
const EARLIER_MAX = 300;

/**
 * One client of the library, from the start of its browser to its end. It is used once: after an ending state, which
 * also closes the browser, or after `stop`, open another session.
 */
export class WhatsAppSession implements EngineSession {
  readonly #p: SessionParams;
  readonly #parts: SessionParts;
  readonly #starting: StallLimit;
  /** Rejects when the start is given up. */
  readonly #givenUp = Promise.withResolvers<never>();
  /** Resolves when the result of the start is known: linked, waiting for a phone, or over. */
  readonly #settled = Promise.withResolvers<void>();
  readonly #loggedOut = Promise.withResolvers<void>();
  #client: Client | null = null;
  #stopped = false;
  #initialized: Promise<void> = Promise.resolve();
  #state: 'new' | 'starting' | 'open' | 'over' = 'new';
  #reported: EngineState | null = null;
  #closing: Promise<void> | null = null;

  constructor(params: SessionParams) {
    this.#p = params;
    this.#givenUp.promise.catch(() => {});
    const { startMs: stallMs, startMsMax: mostMs } = params.times;
    this.#starting = new StallLimit({ what: 'the start', stallMs, mostMs });
    this.#parts = new SessionParts(params, {
      isOver: () => this.#over,
      onProgress: () => this.#starting.progress(),
      onState: (state) => this.#onState(state),
      end: (state, options) => this.#ended(state, options),
      lost: (reason, error) => this.#lost(reason, error),
      call: (what, work, ms) => this.#call(what, work, ms),
    });
  }

  async start(): Promise<void> {
    if (this.#state !== 'new') throw new Error('a session is started once');
    this.#state = 'starting';
    const { profileDir } = this.#p.options;
    try {
      await prepareProfile(profileDir);
      await requireDiskSpace(profileDir);
      await requireNoNewerBrowser(profileDir, this.#p.browserVersion);
      const repaired = await repairStorage(profileDir);
      if (repaired > 0)
        this.#p.log.warn({ files: repaired }, 'truncated records of a full disk were removed');
      const initialized = runLibraryCode(
        (error) => this.#lost('an error inside the library', error),
        () => this.#initialize(),
      );
      this.#initialized = initialized.catch(() => {});
      await this.#starting.run(Promise.race([initialized, this.#givenUp.promise]));
      if (this.#over) await this.#givenUp.promise;
    } catch (thrown) {
      this.#state = 'over';
      await this.#close();
      const error = asError(thrown);
      const launching = this.#client !== null && !this.#parts.browser.launched && !this.#stopped;
      if (!launching) throw error;
      throw new BrowserStartError(error, await this.#p.lastWords().catch(() => ''));
    }
    this.#state = 'open';
    if (!this.#parts.gate.installed) this.#parts.watch.start();
  }

  async stop({ withinMs = Number.POSITIVE_INFINITY } = {}): Promise<void> {
    if (this.#state === 'new') this.#closing = Promise.resolve();
    this.#stopped = true;
    this.#state = 'over';
    this.#givenUp.reject(new Error('stopped'));
    await this.#close({ withinMs });
  }

  async unlink(): Promise<boolean> {
    const gone = await this.#logOut().catch((error: unknown) => {
      this.#p.log.warn({ err: error }, 'WhatsApp did not confirm that the device is removed');
      return false;
    });
    await this.stop();
    await removeProfile(this.#p.options.profileDir);
    return gone;
  }

  requestPairingCode(phone: string): Promise<string> {
    return this.#parts.linking.requestCode(phone);
  }

  replyPasskey(attempt: string, reply: PasskeyReply): Promise<void> {
    return this.#parts.passkey.reply(attempt, reply);
  }

  lookUp(digits: string): Promise<Address | null> {
    return this.#parts.lookUps.lookUp(digits);
  }

  canAddress(address: Address): Promise<boolean> {
    return this.#parts.lookUps.canAddress(address);
  }

  send(message: Outgoing): Promise<void> {
    return this.#parts.sending.send(message);
  }

  async testKinds(types: readonly MessageType[], options: { upload: boolean }): Promise<TestedKinds> {
    const { readiness, selfTest } = this.#parts;
    if (readiness.phone === null) throw new Error('the session is not ready');
    return selfTest.kinds(readiness.phone, types, options);
  }

  async check(): Promise<PageCheck> {
    const { readiness, selfTest, browser } = this.#parts;
    const { phone, build, comms } = readiness;
    if (phone === null || build === null) throw new Error('the session is not ready');
    const rows = await selfTest.rows(phone);
    const modules = await this.#call('the modules', () => browser.page().evaluate(describeModules, MODULES));
    return { build, comms, rows, modules };
  }

  giveUp(waMessageId: string): SendError {
    return this.#parts.outbox.giveUp(waMessageId);
  }

  endSending(): void {
    this.#parts.outbox.end();
  }

  async probe(): Promise<boolean> {
    if (!(await this.#parts.gate.check())) return false;
    const unanswered = this.#parts.outbox.unanswered();
    const connected = await this.#parts.connection.check();
    if (connected) this.#parts.outbox.forgetUnanswered(unanswered);
    return connected && this.#parts.gate.installed;
  }

  async reconcile({
    waMessageId,
    address: chatId,
    byKey = false,
  }: Parameters<EngineSession['reconcile']>[0]): Promise<number | null> {
    const wanted = { waMessageId, chatId, earlierMax: byKey ? 0 : EARLIER_MAX };
    const find = () => this.#parts.browser.page().evaluate(findOwnMessage, wanted);
    const ack = await this.#call('the reconciliation', find, this.#p.times.reconcileMs);
    return ack !== null && ack < REFUSED ? 0 : ack;
  }

  async listGroups(): Promise<Group[]> {
    return this.#call('the groups', () => this.#parts.groups.list());
  }

  async health({ ask = false }: { ask?: boolean } = {}): Promise<NumberLimits> {
    return this.#call('the restrictions', () => this.#parts.health.read(ask));
  }

  get #over(): boolean {
    return this.#state === 'over';
  }

  async #initialize(): Promise<void> {
    const client = this.#p.connect({
      profileDir: this.#p.options.profileDir,
      onBrowser: (browser, page) => this.#parts.onBrowser(browser, page),
      // Injection also fails if the page navigates meanwhile. `PageWatch` checks that a page becomes ready.
      onInjectionFailed: (error) => this.#p.log.warn({ err: asError(error) }, 'injection failed'),
      signal: this.#parts.browser.signal,
    });
    this.#client = client;
    // Each event can come more than once: the library injects itself into every page that is loaded.
    client.on('loading_screen', (percent) => this.#onProgress(Number(percent)));
    client.on('ready', () => void this.#parts.readiness.ready(client));
    client.on('disconnected', (reason) => this.#onDisconnected(reason));
    // Only until the gate is installed, which reports acknowledgements itself.
    client.on('message_ack', ({ id }, ack) => {
      if (id.fromMe) this.#parts.outbox.acknowledged(id.id, ack);
    });
    await client.initialize();
    this.#parts.linking.begin();
  }

  #onProgress(percent: number): void {
    if (this.#parts.gate.installed) return;
    this.#parts.watch.progress();
    this.#onState({ state: 'syncing', percent });
  }

  #onDisconnected(reason: string): void {
    if (reason === 'LOGOUT') {
      this.#loggedOut.resolve();
      this.#end({ state: 'logged_out', reason: this.#parts.login.logoutReason });
    } else this.#ended(endOf(reason) ?? { state: 'gone', ...endedByPage(reason) });
  }

  /** True if, as far as is known, WhatsApp no longer lists a device of this profile. */
  async #logOut(): Promise<boolean> {
    const { unlinkMs } = this.#p.times;
    const until = performance.now() + unlinkMs;
    if (this.#state === 'starting' || this.#state === 'open') {
      await withTimeout(unlinkMs, 'the stored session', this.#settled.promise);
    }
    const reported = this.#reported?.state;
    if (reported === 'qr' || reported === 'passkey' || reported === 'logged_out') return true;
    if (!this.#parts.gate.installed) throw new Error('the session is not ready');
    this.#state = 'over';
    this.#parts.gate.close();
    // Not the library's logout: it closes the browser before the page has sent the request. A page that has logged
    // out meanwhile does not answer.
    // Upstream: #6579 (docs/upstream.md)
    const removed = Promise.any([this.#parts.browser.page().evaluate(unpair), this.#loggedOut.promise]);
    await withTimeout(Math.max(1_000, until - performance.now()), 'logging out', removed);
    return true;
  }

  #lost(reason: string, error?: Error): void {
    if (this.#over) return;
    this.#p.log.warn({ reason, err: error }, 'the session is lost');
    this.#end(
      { state: 'gone', reason, ...(this.#parts.connection.wiped ? { linkEnded: true } : {}) },
      { cause: error },
    );
  }

  /** The page or WhatsApp has ended the session. */
  #ended(state: EndState, options?: EndOptions): void {
    const unseen = this.#parts.readiness.proven && this.#parts.readiness.comms === 'unseen';
    this.#end(state.state === 'gone' && unseen ? { ...state, unseen } : state, options);
  }

  #end(state: EndState, options: EndOptions = {}): void {
    const { linkGone = state.state === 'logged_out', reported = false, cause } = options;
    if (this.#over) return;
    const starting = this.#state === 'starting';
    this.#state = 'over';
    this.#parts.gate.close();
    // First, so that open messages get their definite failures before the end is reported.
    this.#parts.outbox.end();
    // A failed start only rejects. Its state is reported as well if a person must act or the end was requested.
    if (reported || !starting || state.state !== 'gone') this.#onState(state);
    this.#givenUp.reject(
      new Error(
        state.state === 'gone' ? [state.reason, state.detail].filter(Boolean).join(': ') : state.state,
        { cause },
      ),
    );
    void this.#close({ removing: linkGone });
  }

  #close({ removing = false, withinMs = Number.POSITIVE_INFINITY } = {}): Promise<void> {
    this.#parts.stop();
    this.#settled.resolve();
    this.#parts.browser.closeWithin(withinMs);
    this.#closing ??= this.#endBrowser(removing);
    return this.#closing;
  }

  async #endBrowser(removing: boolean): Promise<void> {
    const { options, times, log } = this.#p;
    await this.#parts.browser.end(this.#client, this.#initialized, times.closeMs);
    if (!removing) return;
    await removeProfile(options.profileDir).catch((error: unknown) => {
      log.error({ err: error }, 'the profile of a logged out number could not be removed');
    });
  }

  #onState(seen: EngineState): void {
    const last = this.#reported;
    const { refusal } = this.#parts.login;
    // The reason of a refused login explains why the number is not connected.
    const isRefused = refusal !== null && (seen.state === 'syncing' || seen.state === 'waiting');
    const state: EngineState = isRefused ? { state: 'waiting', cause: refusal } : seen;
    const stillSyncing = state.state === 'syncing' && state.percent === null && last?.state === 'syncing';
    if (stillSyncing || isDeepStrictEqual(last, state)) return;
    this.#reported = state;
    if (state.state === 'ready' || state.state === 'qr' || state.state === 'passkey') this.#settled.resolve();
    runOwnCode(() => this.#p.events.state(state));
  }

  async #call<T>(what: string, work: (client: Client) => Promise<T>, ms = this.#p.times.callMs): Promise<T> {
    const client = this.#client;
    if (!client || this.#over) throw new Error(`${what}: the session has ended`);
    return withTimeout(ms, what, work(client));
  }
}
