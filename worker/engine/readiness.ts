import { buildChangedReason } from '#server/core/build-changed.ts';
import type { EngineState } from '#server/core/engine.ts';
import type { Log } from '#server/platform/log.ts';
import { asError } from './deadline.ts';
import type { Client, Page } from './library.ts';
import type { PageGate } from './page-gate.ts';
import { whoIsIt } from './page-login.ts';
import type { SelfTest } from './self-test.ts';
import type { EndState } from './states.ts';

interface ReadinessOptions {
  log: Log;
  gate: PageGate;
  selfTest: SelfTest;
  page(): Page;
  /** The version of the page's build is known. Awaited: the session may end by it. */
  onBuild(version: string): Promise<void>;
  onTested(result: { version: string; failed: string | null }): void;
  isOver(): boolean;
  /** Runs a call into the page, with its limit. */
  call<T>(what: string, work: () => Promise<T>): Promise<T>;
  /** The document has passed its self-test: what is reported once its line has proved good. */
  onProven(ready: EngineState): Promise<void>;
  /** What was sent may have gone another way than the one that was proven. */
  onChanged(state: EndState): void;
  onLost(reason: string, error: Error): void;
}

/** From the library's `ready` to a document that messages may be given to. */
export class Readiness {
  readonly #o: ReadinessOptions;
  #proven = false;
  /** Times that the library has said `ready` and that are not worked through yet. */
  #readies = 0;

  constructor(options: ReadinessOptions) {
    this.#o = options;
  }

  /** This document has passed its self-test: nothing is sent in any other. */
  get proven(): boolean {
    return this.#proven;
  }

  /** Each of these is worked through before the next: they can come one after the other, and the test takes a while. */
  async ready(client: Client): Promise<void> {
    this.#readies += 1;
    if (this.#readies > 1) return;
    while (this.#readies > 0) {
      const worked = this.#readies;
      await this.#become(client);
      this.#readies -= worked;
    }
  }

  async #become(client: Client): Promise<void> {
    const { log, gate, selfTest, page, isOver, call, onBuild, onTested, onProven, onLost } = this.#o;
    if (gate.standing || isOver()) return;
    let build: string;
    let phone: string | null;
    let changed: string | null;
    try {
      const who = await call('who it is', () => page().evaluate(whoIsIt));
      // Upstream: #3935 (docs/upstream.md)
      phone = who.synced ? who.phone : null;
      // The library says it, too, when a logout begins, and before the page knows its own number: it says it again.
      if (phone === null) return log.warn({ who }, 'the page is not ready as a phone number');
      build = await call('the version', () => client.getWWebVersion());
      await onBuild(build);
      if (isOver()) return;
      changed = await selfTest.functions();
      if (changed === null) {
        if (!(await gate.put())) return;
        changed = await selfTest.run(client, phone);
      }
    } catch (error) {
      // A page that was left meanwhile is tested again when it is ready.
      return onLost('the gate could not be put up and tested', asError(error));
    }
    if (changed !== null) return this.#changed(build, changed);
    if (!gate.standing) return;
    onTested({ version: build, failed: null });
    this.#proven = true;
    selfTest.repeat(client, phone, (what) => this.#changed(build, what));
    await onProven({ state: 'ready', phone, pushName: client.info.pushname || null, build });
  }

  #changed(build: string, what: string): void {
    this.#o.log.error({ build, what }, 'WhatsApp Web has changed');
    this.#proven = false;
    this.#o.onTested({ version: build, failed: what });
    this.#o.onChanged({ state: 'blocked', reason: buildChangedReason(build, what), until: null });
  }
}
