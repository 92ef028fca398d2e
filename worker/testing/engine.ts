import { EventEmitter, once } from 'node:events';
import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import type {
  BuildVerdict,
  EngineState,
  KeptBuild,
  SeenBuild,
  SelfTestResult,
  SessionEvents,
} from '#server/core/engine.ts';
import type { SendError } from '#server/core/send-failures.ts';
import { log } from '#server/platform/log.ts';
import type { NetworkConfig } from '#server/sandbox/network-config.ts';
import { settings } from '#server/settings.ts';
import { resolveBrowser } from '#worker/engine/browser.ts';
import type { Client } from '#worker/engine/library.ts';
import { killProfileBrowsers, processesOf, profilePath } from '#worker/engine/profile.ts';
import { WhatsAppSession } from '#worker/engine/session.ts';
import { SiteWatch } from '#worker/engine/site-watch.ts';
import { ENGINE_TIMES, type EngineTimes } from '#worker/engine/times.ts';
import { lastWords } from '#worker/engine/try-browser.ts';
import { WaitingFiles } from '#worker/engine/waiting-files.ts';
import { createClient } from '#worker/engine/whatsapp-web.ts';
import { startSandbox } from '#worker/sandbox/start-sandbox.ts';
import { lendBrowser } from './engine-browser.ts';
import { playedPage } from './sandbox.ts';

/** For tests of the engine: the real library in a real browser on a separate sandbox. */

const WAIT_MS = 20_000;
const quiet = log.child({}, { level: 'silent' });

/** What a session has reported, and a way to wait for its next reports. */
export class RecordedEvents implements SessionEvents {
  readonly states: EngineState[] = [];
  readonly qrs: { qr: string; expiresAt: number }[] = [];
  readonly acks = new Map<string, number[]>();
  /** People who have written, in order; and how many times restrictions may have changed. */
  readonly wrote: string[] = [];
  healthChanges = 0;
  /** Why WhatsApp's server refused a message, if it said so. */
  readonly nackCodes = new Map<string, number>();
  readonly failures = new Map<string, SendError>();
  readonly builds: SeenBuild[] = [];
  readonly selfTests: SelfTestResult[] = [];
  /** The answer to each build. */
  verdict: () => BuildVerdict | Promise<BuildVerdict> = () => 'stay';
  readonly #changes = new EventEmitter().setMaxListeners(0);

  state(state: EngineState): void {
    this.states.push(state);
    this.#changes.emit('change');
  }

  qr(qr: string, expiresAt: number): void {
    this.qrs.push({ qr, expiresAt });
    this.#changes.emit('change');
  }

  ack(waMessageId: string, ack: number, code: number | null = null): void {
    if (code !== null) this.nackCodes.set(waMessageId, code);
    this.acks.set(waMessageId, [...(this.acks.get(waMessageId) ?? []), ack]);
    this.#changes.emit('change');
  }

  healthChanged(): void {
    this.healthChanges += 1;
    this.#changes.emit('change');
  }

  receivedFrom(digits: string[]): void {
    this.wrote.push(...digits);
    this.#changes.emit('change');
  }

  notSent(waMessageId: string, failure: SendError): void {
    this.failures.set(waMessageId, failure);
    this.#changes.emit('change');
  }

  build(seen: SeenBuild): BuildVerdict | Promise<BuildVerdict> {
    this.builds.push(seen);
    this.#changes.emit('change');
    return this.verdict();
  }

  selfTest(result: SelfTestResult): void {
    this.selfTests.push(result);
    this.#changes.emit('change');
  }

  /** Resolves with the result of `pick` as soon as there is one. Rejects after 20 s. */
  async until<T>(pick: (events: this) => T | undefined): Promise<T> {
    const signal = AbortSignal.timeout(WAIT_MS);
    for (;;) {
      const found = pick(this);
      if (found !== undefined) return found;
      await once(this.#changes, 'change', { signal }).catch(() => {
        throw new Error(`expected state did not come; reported were ${JSON.stringify(this.states)}`);
      });
    }
  }

  untilState<S extends EngineState['state']>(state: S): Promise<Extract<EngineState, { state: S }>> {
    const is = (one: EngineState): one is Extract<EngineState, { state: S }> => one.state === state;
    return this.until(() => this.states.findLast(is));
  }

  /** Resolves with the first decisive ack of a message. */
  untilAck(waMessageId: string): Promise<number> {
    return this.until(() => this.acks.get(waMessageId)?.[0]);
  }
}

export interface Opened {
  session: WhatsAppSession;
  events: RecordedEvents;
  profileDir: string;
  /** The library's client, once the session has been started. */
  client(): Client;
  /** Can be changed while it runs. */
  times: EngineTimes;
  /** The session's warnings in the log. */
  warned: string[];
  site: SiteWatch;
  /** Whether messages may be sent; true unless a test says no. */
  fence: { open: boolean; asked: string[] };
}

/** A sandbox and sessions on it. Disposing stops them all and deletes their files. */
export async function temporaryEngine(config: Partial<NetworkConfig> = {}) {
  const dataDir = await fs.mkdtemp(path.join(os.tmpdir(), 'wirebird-engine-'));
  const sandbox = await startSandbox({
    dataDir,
    config: { deliveredMs: 20, readMs: 40, reconnectStepMs: 50, ...playedPage(), ...config },
  });
  await lendBrowser(dataDir);
  const browser = await resolveBrowser({ chromiumPath: settings.chromiumPath, dataDir });
  const opened: Opened[] = [];
  const waitingFiles = new WaitingFiles();

  function open(
    numberId: string,
    lowered: Partial<EngineTimes> = {},
    build: KeptBuild | null = null,
  ): Opened {
    const times = { ...ENGINE_TIMES, watchMs: 50, ...lowered };
    const events = new RecordedEvents();
    const profileDir = profilePath(dataDir, numberId);
    const networkArgs = sandbox.chromiumArgs;
    const fence: Opened['fence'] = { open: true, asked: [] };
    const warned: string[] = [];
    const noting = quiet.child({});
    noting.warn = (...line: unknown[]) =>
      void warned.push(line.map((part) => JSON.stringify(part)).join(' '));
    let made: Client | undefined;
    const site = new SiteWatch(times);
    const session = new WhatsAppSession({
      site,
      waitingFiles,
      events,
      times,
      browserVersion: browser.version,
      log: noting,
      lastWords: () => lastWords(browser),
      options: {
        numberId,
        profileDir,
        networkArgs,
        build,
        async mayDispatch(waMessageId) {
          fence.asked.push(waMessageId);
          return fence.open;
        },
      },
      connect(wiring) {
        made = createClient({ ...wiring, browser, log: quiet, times, networkArgs });
        return made;
      },
    });
    const client = () => {
      if (!made) throw new Error('not started');
      return made;
    };
    const one = { session, events, profileDir, client, times, warned, fence, site };
    opened.push(one);
    return one;
  }

  /** A session of a new number, linked to `phone` by its QR and ready. */
  async function link(numberId: string, phone: string, lowered: Partial<EngineTimes> = {}): Promise<Opened> {
    const one = open(numberId, lowered);
    await one.session.start();
    const { qr } = await one.events.until((events) => events.qrs.at(-1));
    await sandbox.control.scan({ phone, qr });
    await one.events.untilState('ready');
    return one;
  }

  return {
    dataDir,
    control: sandbox.control,
    samples: sandbox.controlFile.samples,
    browser,
    networkArgs: sandbox.chromiumArgs,
    open,
    link,
    /** The processes of all browsers that run on these profiles. */
    processes: () => opened.flatMap(({ profileDir }) => processesOf(profileDir)),
    async [Symbol.asyncDispose]() {
      await Promise.all(opened.map(({ session }) => session.stop()));
      await Promise.all(opened.map(({ profileDir }) => killProfileBrowsers(profileDir)));
      await sandbox.stop();
      await fs.rm(dataDir, { recursive: true, force: true, maxRetries: 4 });
    },
  };
}

export type TemporaryEngine = Awaited<ReturnType<typeof temporaryEngine>>;
