import type { EngineState, SelfTestResult } from '#server/core/engine.ts';
import type { CommsMode } from '#server/core/page-build.ts';
import type { Log } from '#server/platform/log.ts';
import type { Client, Page } from './library.ts';
import { readOwnNumber } from './page/login.ts';
import { waitForOfflineDelivery } from './page/state.ts';
import type { PageGate } from './page-gate.ts';
import type { SelfTest } from './self-test.ts';
import type { EndState } from './states.ts';
import { asError } from './timeout.ts';
import type { EngineTimes } from './times.ts';

interface ReadinessOptions {
  times: EngineTimes;
  log: Log;
  gate: PageGate;
  selfTest: SelfTest;
  page(): Page;
  /** The version of the page's build is known. Awaited, because the session may leave this build. */
  onBuild(version: string): Promise<void>;
  onTested(result: SelfTestResult): void;
  /** The document's taps have seen a stanza. */
  isStanzaSeen(): boolean;
  isOver(): boolean;
  /** Runs a call into the page, with a time limit. */
  call<T>(what: string, work: () => Promise<T>, ms?: number): Promise<T>;
  /** The document has passed its self-test. Reports `ready` once the connection works. */
  onProven(ready: EngineState): Promise<void>;
  /** A later self-test failed: messages may have bypassed the gate. */
  onChanged(state: EndState): void;
  onLost(reason: string, error: Error): void;
}

/** Tests a document after the library's `ready` event, before anything is sent. */
export class Readiness {
  readonly #o: ReadinessOptions;
  #proven = false;
  #phone: string | null = null;
  #build: string | null = null;
  #comms: CommsMode = 'unseen';
  /** `ready` events of the library that are not handled yet. */
  #pending = 0;

  constructor(options: ReadinessOptions) {
    this.#o = options;
  }

  /** The current document has passed its self-test. Nothing is sent without that. */
  get proven(): boolean {
    return this.#proven;
  }

  /** The number's own digits, once its document has passed; else null. */
  get phone(): string | null {
    return this.#proven ? this.#phone : null;
  }

  /** The build of the document that was last tested. */
  get build(): string | null {
    return this.#build;
  }

  /** Where the connection of the current document runs. */
  get comms(): CommsMode {
    return this.#comms;
  }

  /** Tests once at a time: more `ready` events can come while a test runs. */
  async ready(client: Client): Promise<void> {
    this.#pending += 1;
    if (this.#pending > 1) return;
    while (this.#pending > 0) {
      const handled = this.#pending;
      await this.#test(client);
      this.#pending -= handled;
    }
  }

  async #test(client: Client): Promise<void> {
    const { log, gate, selfTest, page, isOver, call, onBuild, onTested, onProven, onLost } = this.#o;
    if (gate.installed || isOver()) return;
    let build: string;
    let phone: string | null;
    let changed: string | null;
    try {
      const own = await call('the own number', () => page().evaluate(readOwnNumber));
      // Upstream: #3935 (docs/upstream.md)
      phone = own.synced ? own.phone : null;
      // The library also emits `ready` when a logout begins, and before the page knows its number. In the second
      // case another `ready` follows.
      if (phone === null)
        return log.warn({ synced: own.synced }, 'the page reports that it is ready too early, or logs out');
      this.#comms = !this.#o.isStanzaSeen() ? 'unseen' : own.commsInWorker ? 'worker' : 'page';
      build = await call('the version', () => client.getWWebVersion());
      this.#build = build;
      await onBuild(build);
      if (isOver()) return;
      // Null if the page has navigated. The new document is tested when it is ready.
      const arrived = await this.#offlineDelivery().catch(() => null);
      if (arrived === null) return;
      if (!arrived)
        log.warn('the page still receives what came while it was offline; messages may wait in it');
      changed = await selfTest.functions();
      if (changed === null) {
        // False if the page has navigated. The new document is tested when it is ready.
        if (!(await gate.install())) return;
        changed = await selfTest.run(phone);
      }
    } catch (error) {
      return onLost('the gate could not be installed and tested', asError(error));
    }
    if (changed !== null) return this.#changed(build, changed);
    if (!gate.installed) return;
    onTested({ version: build, failed: null, comms: this.#comms });
    if (this.#comms === 'unseen')
      log.warn({ build }, 'this build of WhatsApp Web does not show why WhatsApp refuses or ends a session');
    this.#proven = true;
    this.#phone = phone;
    selfTest.repeat(phone, (what) => this.#changed(build, what));
    await onProven({ state: 'ready', phone, pushName: client.info?.pushname || null, build });
  }

  /** True once it has ended. Until then messages would wait in the page, past the gate. */
  #offlineDelivery(): Promise<boolean> {
    const { times, page, call } = this.#o;
    const limitMs = times.offlineDeliveryMs;
    const wait = () => page().evaluate(waitForOfflineDelivery, limitMs);
    return call('offline delivery', wait, limitMs + times.callMs);
  }

  #changed(build: string, what: string): void {
    this.#o.log.error({ build, what }, 'WhatsApp Web has changed');
    this.#proven = false;
    this.#o.onTested({ version: build, failed: what, comms: this.#comms });
    this.#o.onChanged({ state: 'unfit', build, failed: what });
  }
}
