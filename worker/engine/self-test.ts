import crypto from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { TestedKinds } from '#server/core/engine.ts';
import { MESSAGE_TYPES, type MessageType } from '#server/core/message.ts';
import { PAGE_CHECKS, type PageCheckRow } from '#server/core/page-check.ts';
import type { Log } from '#server/platform/log.ts';
import { draftOf, faultOf } from './drafts/index.ts';
import { SAMPLES } from './drafts/samples.ts';
import type { Groups } from './groups.ts';
import type { Page } from './library.ts';
import type { LookUps } from './look-ups.ts';
import { pingServer } from './page/connection.ts';
import { sendDraft, testDraft } from './page/drafts.ts';
import { fetchGroup, firstWithChat } from './page/groups.ts';
import { HOOK_ERRORS } from './page/hook-errors.ts';
import {
  countMessages,
  INVENTED,
  isAdded,
  isJobGated,
  missingFunction,
  NEEDED,
  testPage,
} from './page/self-test.ts';
import { asError, withTimeout } from './timeout.ts';
import type { EngineTimes } from './times.ts';

const PING_AGAIN_MS = 100;
/** Without the page's stack. */
const firstLine = (error: unknown) => asError(error).message.split('\n')[0] ?? '';
/** Before the gate is installed only the functions are tested. */
const AFTER_GATE = PAGE_CHECKS.filter((check) => check !== 'functions');
const NO_UPLOAD = { upload: false };
const NOT_FOUND = /No LID for user|ServerStatusCodeError/;

export interface SelfTestOptions {
  times: EngineTimes;
  log: Log;
  page(): Page;
  lookUps: LookUps;
  groups: Pick<Groups, 'list'>;
  /** The version of the page's build, once it is known. */
  build(): string | null;
}

/** What has changed in the page; null if everything is as the adapter expects. */
export type Change = string | null;

/** Tests on the page itself that a message leaves only through our gate, and that its acknowledgement is seen. */
export class SelfTest {
  readonly #o: SelfTestOptions;
  /** The ID of the current canary, how often the gate was asked about it, and whether the page went past it. */
  #canary: { id: string; asked: number; reachedJob: boolean } | null = null;
  /** How often the job of the test was held back. */
  #jobsHeldBack = 0;
  #timer: NodeJS.Timeout | undefined;
  #jobNoted = false;
  /** One canary at a time. */
  #canaries: Promise<unknown> = Promise.resolve();
  readonly #checks: Record<(typeof PAGE_CHECKS)[number], (phone: string) => Promise<Change>> = {
    functions: () => this.functions(),
    gate: () => this.#jobGate(),
    models: () => this.#models(),
    ping: async (phone) =>
      (await this.#arePingsUnseen(phone)) ? 'the server’s answer to a ping is not seen' : null,
    canary: (phone) => this.canary(phone),
  };

  constructor(options: SelfTestOptions) {
    this.#o = options;
  }

  /** The gate is asked about a message. */
  asked(id: string): void {
    if (this.#canary?.id === id) this.#canary.asked += 1;
  }

  /** A job was held back. True if it is the test's own. */
  heldBack(id: string): boolean {
    if (this.#canary) this.#canary.reachedJob = true;
    if (id !== INVENTED.id) return false;
    this.#jobsHeldBack += 1;
    return true;
  }

  /**
   * The page has finished a real message whose job reported nothing, which no test can detect. Messages are still
   * sent, but more failures stay unknown if the job does not ask at its gate.
   */
  jobSilent(asked: boolean): void {
    if (this.#jobNoted) return;
    this.#jobNoted = true;
    const effect = asked
      ? 'codes of refusals come from the server’s stanza alone'
      : 'its job is not gated, so some failed messages will be unknown';
    this.#o.log.warn({ asked }, `this build of WhatsApp Web does not report the result of a send: ${effect}`);
  }

  /** Checks the functions that the gate needs, so it runs before the gate is installed. */
  async functions(): Promise<Change> {
    const { times, page } = this.#o;
    return withTimeout(times.callMs, 'the functions', page().evaluate(missingFunction, NEEDED));
  }

  /** The whole test, once for each document. Rejects if the page does not answer. */
  async run(phone: string): Promise<Change> {
    for (const check of AFTER_GATE) {
      const changed = await this.#checks[check](phone);
      if (changed !== null) return changed;
    }
    return null;
  }

  /** The result of each part and of each kind of message, on a page that has passed. A part without an answer fails. */
  async rows(phone: string): Promise<PageCheckRow[]> {
    const rows: PageCheckRow[] = [];
    for (const check of PAGE_CHECKS)
      rows.push({ check, failed: await this.#checks[check](phone).catch(firstLine) });
    const kinds = await this.#kinds(phone, MESSAGE_TYPES, NO_UPLOAD);
    rows.push(...MESSAGE_TYPES.map((check) => ({ check, failed: kinds[check] ?? null })));
    const group = await this.#group();
    return group === undefined ? rows : [...rows, { check: 'group', failed: group }];
  }

  async #models(): Promise<Change> {
    const { times, page } = this.#o;
    return withTimeout(times.callMs, 'the self-test', page().evaluate(testPage, INVENTED));
  }

  async #jobGate(): Promise<Change> {
    const { times, page } = this.#o;
    this.#jobsHeldBack = 0;
    const test = page().evaluate(isJobGated, INVENTED.id, HOOK_ERRORS.heldBack);
    const refused = await withTimeout(times.callMs, 'the gate of the job', test);
    return refused && this.#jobsHeldBack === 1 ? null : 'messages do not pass the gate';
  }

  /** True if the server answers look-ups but no ping before and after them: then the page has changed. */
  async #arePingsUnseen(phone: string): Promise<boolean> {
    const { lookUps } = this.#o;
    const pinged = await this.#ping();
    const answered = await lookUps.checkOwn(phone);
    return !pinged && answered && !(await this.#ping()) && (await lookUps.checkOwn(phone));
  }

  /** Pings the server. Retries, because the page also refuses while its own ping is in progress. */
  async #ping(): Promise<boolean> {
    const { times, page } = this.#o;
    const until = performance.now() + times.firstPingMs;
    for (;;) {
      const leftMs = Math.max(1, until - performance.now());
      const answer = await withTimeout(times.callMs, 'a ping', page().evaluate(pingServer, leftMs));
      if (answer === 'answered' || performance.now() >= until) return answer === 'answered';
      await delay(PING_AGAIN_MS);
    }
  }

  /**
   * Sends a message to the number itself as any other; the gate must hold it back. Rejects if there is no
   * answer in time, because then the result is unknown.
   */
  canary(phone: string): Promise<Change> {
    const canary = this.#canaries.catch(() => {}).then(() => this.#sendCanary(phone));
    this.#canaries = canary;
    return canary;
  }

  async #sendCanary(phone: string): Promise<Change> {
    const { times, page } = this.#o;
    const id = `3EB0${crypto.randomBytes(9).toString('hex').toUpperCase()}`;
    const canary = { id, asked: 0, reachedJob: false };
    const body = `Wirebird tests itself (${canary.id}). This message is never sent.`;
    const given = { chatId: `${phone}@c.us`, id, draft: draftOf({ type: 'text', body }, null) };
    this.#canary = canary;
    try {
      const before = await withTimeout(times.callMs, 'the canary', page().evaluate(countMessages));
      const outcome = await withTimeout(
        times.callMs,
        'the canary',
        page()
          .evaluate(sendDraft, given)
          .then(
            () => 'sent' as const,
            (error: unknown) => asError(error),
          ),
      );
      const added = await withTimeout(times.callMs, 'the canary', page().evaluate(isAdded, id));
      const { asked, reachedJob } = canary;
      this.#logCanary(outcome, { added, reachedJob, before, asked });
      if (outcome === 'sent' || added || reachedJob) return 'a test message was not held back';
      // The server did not resolve the number itself: the page has not changed.
      if (asked === 0 && NOT_FOUND.test(outcome.message)) throw outcome;
      if (asked === 0) return 'a test message cannot be built';
      if (asked !== 1) return 'messages do not pass the gate';
      return outcome.message.includes(HOOK_ERRORS.heldBack)
        ? null
        : 'a message that is held back fails differently';
    } finally {
      this.#canary = null;
    }
  }

  /** A canary that was not held back at the gate is logged with what the page or the library reported. */
  #logCanary(
    outcome: Error | 'sent',
    seen: { added: boolean; reachedJob: boolean; before: number; asked: number },
  ) {
    const { log, build } = this.#o;
    const line = { ...seen, build: build(), ...(outcome === 'sent' ? { outcome } : { err: outcome }) };
    const isHeldBack = outcome !== 'sent' && outcome.message.includes(HOOK_ERRORS.heldBack);
    if (isHeldBack && seen.asked === 1 && !seen.added && !seen.reachedJob) log.debug(line, 'canary');
    else log.warn(line, 'the canary failed');
  }

  /** Builds a message of each kind, and the page's own model of it. Nothing is added, so nothing can be sent. */
  async kinds(
    phone: string,
    types: readonly MessageType[],
    options: { upload: boolean },
  ): Promise<TestedKinds> {
    const found = await this.#kinds(phone, types, options);
    // The kinds do not wait for it: WhatsApp may not list the groups.
    void this.#group().then((failure) => {
      if (failure) this.#o.log.warn({ failure, build: this.#o.build() }, 'a text to a group fails its test');
    });
    return found;
  }

  async #kinds(
    phone: string,
    types: readonly MessageType[],
    options: { upload: boolean },
  ): Promise<TestedKinds> {
    const found: TestedKinds = {};
    for (const type of types) {
      const failure = await this.#kind(phone, type, options);
      if (failure !== null)
        this.#o.log.warn({ type, failure, build: this.#o.build() }, 'a kind of message fails its test');
      found[type] = failure;
    }
    return found;
  }

  /** Builds a text to a group with which the page has a chat; undefined if there is none. */
  async #group(): Promise<Change | undefined> {
    const { times, page, groups } = this.#o;
    const listed = (await groups.list().catch(() => [])).map(({ id }) => id);
    const ask = <T>(what: string, answer: Promise<T>) => withTimeout(times.callMs, what, answer);
    try {
      const chatId = await ask('the groups', page().evaluate(firstWithChat, listed));
      if (chatId === null) return undefined;
      if (!(await ask('a group', page().evaluate(fetchGroup, chatId))))
        return 'the members of a group are not known';
      const { id } = INVENTED;
      const given = { chatId, id, draft: draftOf(SAMPLES.text().content, null) };
      const seen = await ask('a text to a group', page().evaluate(testDraft, given, NO_UPLOAD));
      return faultOf('text', seen, id);
    } catch (error) {
      return firstLine(error);
    }
  }

  async #kind(phone: string, type: MessageType, { upload }: { upload: boolean }): Promise<string | null> {
    const { times, page } = this.#o;
    const { content, file } = SAMPLES[type]();
    const { id } = INVENTED;
    const given = { chatId: `${phone}@c.us`, id, draft: draftOf(content, file) };
    try {
      const built = page().evaluate(testDraft, given, { upload });
      const seen = await withTimeout(file ? times.sendMediaMs : times.callMs, 'the test of a kind', built);
      return faultOf(type, seen, id, { uploaded: upload });
    } catch (error) {
      return firstLine(error);
    }
  }

  /** Repeats the canary every `canaryMs`. `onFailed` gets the failed check. */
  repeat(phone: string, onFailed: (what: string) => void): void {
    this.stop();
    const again = async () => {
      const changed = await this.canary(phone).catch((error: unknown) => {
        this.#o.log.warn({ err: error, build: this.#o.build() }, 'the canary got no answer');
        return null;
      });
      if (!this.#timer) return;
      if (changed === null) this.repeat(phone, onFailed);
      else onFailed(changed);
    };
    this.#timer = setTimeout(() => void again(), this.#o.times.canaryMs);
    this.#timer.unref();
  }

  stop(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
  }
}
