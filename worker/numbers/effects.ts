import type { Engine, EngineSession, KeptBuild } from '#server/core/engine.ts';
import type { Holding } from '#server/core/lease.ts';
import type { Effect, NumberEvent, PageEvent, Question } from '#server/core/number/machine.ts';
import type { SessionRow } from '#server/core/number/session-row.ts';
import { PAIRING_CODE_MS } from '#server/core/number-state.ts';
import type { BuildSetting } from '#server/core/page-build.ts';
import { cancelWaiting } from '#server/messages/queries/cancel-waiting.ts';
import { paceOf } from '#server/numbers/pace.ts';
import { extendLinking, takePasskeyReply } from '#server/numbers/queries/passkeys.ts';
import { forgetGoodCopy } from '#server/numbers/queries/profiles.ts';
import {
  findSession,
  forgetLink,
  settleIntent,
  writeFirstCode,
  writeLink,
  writeStatus,
} from '#server/numbers/queries/sessions.ts';
import type { Database } from '#server/platform/db/client.ts';
import type { Log } from '#server/platform/log.ts';
import { metrics } from '#server/platform/metrics/metrics.ts';
import { withTimeout } from '../engine/timeout.ts';
import { type ProfileParams, restoreGoodCopy, type Source } from '../profiles/acquire-profile.ts';
import type { Limiter } from '../profiles/limiter.ts';
import { admitPhone } from './admit-phone.ts';
import type { IntervalGuard } from './dispatch/interval-guard.ts';
import type { MediaDownloads } from './dispatch/media-downloads.ts';
import { SessionDispatch } from './dispatch/session-dispatch.ts';
import { HealthRecorder } from './health-recorder.ts';
import { requestCode } from './link.ts';
import { PageBuild } from './page-build.ts';
import { RecipientChecks } from './recipient-checks.ts';
import { PageRequests } from './requests.ts';
import type { ServicePause } from './service-pause.ts';
import { SessionWatch } from './session-watch.ts';
import { showWaiting } from './show-waiting.ts';
import { startCause } from './start-cause.ts';

export interface NumberOptions {
  database: Database;
  log: Log;
  engine: Engine;
  starts: Limiter;
  intervalGuard: IntervalGuard;
  servicePause: ServicePause;
  media: MediaDownloads;
  profile: ProfileParams;
  /** Where the number's profile was acquired from. */
  source: Source;
  /** Which build of WhatsApp Web the operator wants. */
  buildSetting: BuildSetting;
  /** Browser arguments for the number's network. */
  networkArgs: readonly string[];
  ackTimeoutMs: number;
  restartPauseMsMax: number;
  lease: {
    /** May this worker act for the number, by its monotonic clock? */
    isHeld(): boolean;
    /** Does it hold on the database? The last check before a dispatch, unless the claim has just checked it. */
    allowsDispatch(): Promise<boolean>;
    /** Nothing is left to do for this number. */
    release(): void;
  };
}

type Act = Exclude<Effect, Question>;
type Acts = { readonly [D in Act['do']]: (act: Extract<Act, { do: D }>) => unknown };
type Questions = {
  readonly [D in Question['do']]: (question: Extract<Question, { do: D }>) => Promise<NumberEvent | null>;
};

/** Messages wait at most this long for WhatsApp's restrictions to be read. */
const HEALTH_MS = 3000;
/**
 * A claim proves the lease with a margin (`DISPATCH_MARGIN_MS`). So soon after its request, the gate needs no other
 * proof: this and the time from the gate to the stanza (`FRESH_MS` of the outbox) are shorter than the margin.
 */
const CLAIM_COUNTS_MS = 250;

/** Does what the machine says: opens and ends a number's session, reads and writes its row, and posts what happens. */
export class NumberEffects {
  readonly #o: NumberOptions;
  readonly #post: (event: NumberEvent, isCurrent?: () => boolean) => void;
  readonly dispatch: SessionDispatch;
  readonly #watch: SessionWatch;
  readonly #builds: PageBuild;
  readonly #health: HealthRecorder;
  readonly #requests: PageRequests;
  readonly #checks: RecipientChecks;
  /** The first arguments of its queries. */
  readonly #at: readonly [Database, Holding];
  #row: SessionRow | null = null;
  #session: EngineSession | null = null;
  /** Counts sessions, so that late events of an old session are ignored. */
  #generation = 0;
  /** The browser of a lost session, which ends while that is written. */
  #ending: Promise<void> | undefined;
  #abandoned = false;
  #restTimer: NodeJS.Timeout | undefined;
  #linkTimer: NodeJS.Timeout | undefined;
  #codeTimer: NodeJS.Timeout | undefined;
  #moveTimer: NodeJS.Timeout | undefined;
  /** No more tasks start, and none is retried. */
  stopping = false;

  readonly #acts: Acts = {
    serve: (asked) => this.#serve(asked),
    'watch arrival': ({ ms }) => {
      this.#moveTimer = setTimeout(() => this.#post({ on: 'arrival late' }), ms);
    },
    'watch linking': ({ ms }) => {
      clearTimeout(this.#linkTimer);
      this.#linkTimer = setTimeout(() => this.#post({ on: 'changed' }), ms);
    },
    open: async ({ build, untilStarted }) => {
      const started = this.#open(build);
      if (untilStarted) await started;
    },
    'stop dispatching': ({ graceMs }) => this.#stopDispatching(graceMs),
    pause: () => {
      this.#watch.stop();
      this.dispatch.waiting();
    },
    'end browser': ({ reason, detail }) => {
      this.#o.log.warn({ reason, detail, build: this.build }, 'session lost');
      this.#ending = this.#endSession();
    },
    close: () => this.close(),
    'count loss': ({ reason }) => {
      metrics().sessionRestarts.inc({ reason });
      this.#builds.lost();
    },
    rest: (effect) => this.#rest(effect),
    release: () => this.#o.lease.release(),
    write: (status) => writeStatus(...this.#at, status),
    'write waiting': ({ cause }) => showWaiting(...this.#at, cause),
    settle: ({ revision }) => settleIntent(...this.#at, { intent: 'idle', revision }),
    'cancel waiting': ({ accountId, cause }) => {
      const { database, profile } = this.#o;
      const { holding } = profile;
      const outcome = { say: 'cause', cause } as const;
      const which = { accountId, numberId: holding.numberId, holding, lane: 'sync' } as const;
      return cancelWaiting(database.db, { ...which, errorCode: 'not_connected', outcome });
    },
    'read health': () => withTimeout(HEALTH_MS, 'the restrictions', this.#health.read()).catch(() => {}),
    dispatch: async () => {
      clearTimeout(this.#linkTimer);
      this.#o.servicePause.over();
      this.#watch.start();
      if (this.#session) await this.dispatch.connected(this.#session);
    },
    'pass test': ({ result }) => this.#builds.passed(result),
    'write link': ({ link }) => writeLink(...this.#at, link),
    'forget link': () => forgetLink(...this.#at),
    'write first code': () => writeFirstCode(...this.#at),
    'extend linking': ({ ms }) => extendLinking(...this.#at, ms),
    'watch code': () => {
      clearTimeout(this.#codeTimer);
      this.#codeTimer = setTimeout(() => this.#post({ on: 'code over' }), PAIRING_CODE_MS);
    },
  };
  readonly #questions: Questions = {
    'read row': async () => ({ on: 'row', row: await findSession(...this.#at), build: this.build }),
    'read row again': async ({ next }) => {
      const { leaving } = this.#builds;
      return { ...next, leaving, row: await findSession(...this.#at) };
    },
    'choose build': async () => {
      const choice = await this.#builds.choose();
      if ('build' in choice) return { on: 'chosen', build: choice.build };
      return { on: 'lost', reason: 'no build to start on', cause: choice.refused };
    },
    'write connected': async ({ cause }) => {
      if (!(await writeStatus(...this.#at, { status: 'CONNECTED', cause }))) return null;
      await forgetGoodCopy(...this.#at);
      return { on: 'shown', row: await findSession(...this.#at) };
    },
    'log out': async ({ refusal }) => ({ on: 'unlinked', confirmed: await this.#logOut(), refusal }),
    'admit phone': async ({ phone }) => {
      this.#o.log.info({ build: this.build }, 'connected');
      if (!this.#row) return null;
      const admitted = await admitPhone(...this.#at, { row: this.#row, phone });
      if ('refused' in admitted) return { on: 'phone refused', refusal: admitted.refused };
      return { on: 'admitted', ...admitted };
    },
    'restore good copy': async () => {
      if (!(await restoreGoodCopy(this.#o.profile))) return { on: 'not restored' };
      const what = 'the stored session is damaged, or the device was removed: trying the last good copy';
      this.#o.log.warn(what);
      return { on: 'restored' };
    },
    'find build': async ({ cause, until }) => {
      const left = await this.#builds.refused(cause);
      if (left === null) return { on: 'refused', cause, until };
      return { on: 'lost', reason: 'the build does not work', cause: left, atOnce: true };
    },
    'judge test': async (test) => {
      const after = await this.#builds.failed(test);
      if ('blocked' in after) return { on: 'refused', cause: after.blocked, until: null };
      return { on: 'lost', reason: 'the self-test failed', cause: after.restart, atOnce: after.atOnce };
    },
    'request code': ({ phone }) => {
      const { database, log, profile } = this.#o;
      const asked = { database, log, holding: profile.holding, session: this.#session };
      return requestCode(asked, { phone });
    },
  };

  constructor(options: NumberOptions, post: (event: NumberEvent, isCurrent?: () => boolean) => void) {
    this.#o = options;
    this.#post = post;
    const { database, log, lease, buildSetting: setting } = options;
    const { holding } = options.profile;
    this.#at = [database, holding];
    const given = { database, log, holding, row: () => this.#row, session: () => this.#session };
    this.#builds = new PageBuild({ ...given, setting });
    this.#requests = new PageRequests(given);
    this.#checks = new RecipientChecks({
      ...given,
      session: () => (this.dispatch.active ? this.#session : null),
    });
    this.#health = new HealthRecorder({ ...given, onChange: () => this.dispatch.wake() });
    this.#watch = new SessionWatch({
      probe: () => this.#session?.probe() ?? Promise.resolve(true),
      isBusy: () => this.dispatch.sendsFile,
      onDead: (reason) => {
        const generation = this.#generation;
        this.#post({ on: 'lost', reason }, () => generation === this.#generation);
      },
    });
    this.dispatch = new SessionDispatch({
      ...{ ...options, ...given, post, builds: this.#builds, health: this.#health, watch: this.#watch },
      holdsLease: () => lease.isHeld(),
    });
  }

  /** The build of WhatsApp Web that the number's session runs; null while unknown. */
  get build(): string | null {
    return this.#builds.version;
  }

  async quiesce(graceMs: number): Promise<void> {
    this.stopping = true;
    this.dispatch.leave();
    await this.#stopDispatching(graceMs);
  }

  /** A start that hangs blocks the tasks until its browser has ended. */
  async stop(): Promise<void> {
    clearTimeout(this.#moveTimer);
    await this.#session?.stop();
  }

  async abandon(withinMs: number): Promise<void> {
    this.stopping = true;
    this.#abandoned = true;
    clearTimeout(this.#moveTimer);
    this.dispatch.leave();
    await this.#endSession({ withinMs });
  }

  /** Does an effect for the number as it was last read. Returns the answer to a question. */
  async perform(effect: Effect, row: SessionRow | null): Promise<NumberEvent | null> {
    this.#row = row;
    // The key and its function belong together, which the compiler does not see.
    if (effect.do in this.#questions)
      return (this.#questions[effect.do as Question['do']] as (asked: Effect) => Promise<NumberEvent | null>)(
        effect,
      );
    await (this.#acts[effect.do as Act['do']] as (done: Effect) => unknown)(effect);
    return null;
  }

  /** Ends the session. The browser of a lost one is ending already. */
  async close(): Promise<void> {
    await this.#ending;
    this.#ending = undefined;
    clearTimeout(this.#linkTimer);
    clearTimeout(this.#codeTimer);
    this.#cancelRest();
    this.#health.stop();
    this.#watch.stop();
    this.#generation += 1;
    const ended = this.#endSession();
    await this.dispatch.end();
    await ended;
    this.#session = null;
  }

  /**
   * Opens a session on a kept build, or on the site's build if null. Resolves when the start has succeeded or failed. Events
   * of the session may come earlier.
   */
  #open(build: KeptBuild | null): Promise<void> {
    const { engine, log, lease, networkArgs, profile, starts } = this.#o;
    if (this.stopping) return Promise.resolve();
    this.#cancelRest();
    this.#generation += 1;
    const generation = this.#generation;
    const current = () => generation === this.#generation && !this.stopping;
    const post = (event: NumberEvent) => this.#post(event, current);
    const session = engine.open(
      {
        numberId: profile.holding.numberId,
        profileDir: profile.profileDir,
        networkArgs,
        build,
        // Also allowed while stopping, for the current dispatch.
        mayDispatch: async (waMessageId) => {
          const claimedMsAgo = await this.dispatch.claimedMsAgo(waMessageId);
          if (claimedMsAgo === null || generation !== this.#generation || this.#abandoned) return false;
          return lease.isHeld() && (claimedMsAgo < CLAIM_COUNTS_MS || lease.allowsDispatch());
        },
      },
      {
        state: (state) => post({ ...state, on: state.state } as PageEvent),
        qr: (code, expiresAtMs) => post({ on: 'qr code', code, expiresAtMs }),
        build: (page) => (current() ? this.#builds.seen(page) : 'stay'),
        selfTest: (result) => {
          if (result.failed === null) post({ on: 'tested', result });
        },
        healthChanged: () => void this.#health.read(),
        receivedFrom: (digits) => void this.#health.receivedFrom(digits),
        ack: (waMessageId, ack, code = null) => this.dispatch.ack(waMessageId, ack, code),
        notSent: (waMessageId, failure) => this.dispatch.notSent(waMessageId, failure),
      },
    );
    this.#session = session;
    const started = starts.run(async () => (current() ? session.start() : undefined));
    return started.catch((error: unknown) => {
      log.warn({ err: error }, 'the session did not start');
      post({ on: 'lost', reason: 'start_failed', cause: startCause(error) });
    });
  }

  /**
   * In this order, because an ending session reports what was definitely not sent. The browser's end starts before anything
   * is written, because a call into a hanging page returns only then.
   */
  #endSession(options: { withinMs?: number } = {}): Promise<void> | undefined {
    const ended = this.#session?.stop(options);
    this.dispatch.sessionLost();
    return ended;
  }

  /** Dispatches nothing more. Resolves when the current dispatch has its outcome, after `graceMs` at the latest. */
  async #stopDispatching(graceMs: number): Promise<void> {
    const deadline = setTimeout(() => {
      this.#session?.endSending();
      this.dispatch.sessionLost();
    }, graceMs);
    await this.dispatch.stop();
    clearTimeout(deadline);
  }

  /** The next session starts after this delay with jitter, and after the pause of WhatsApp's service. */
  #rest({ pauseMs, backOffMs }: Extract<Effect, { do: 'rest' }>): void {
    const { servicePause } = this.#o;
    if (pauseMs > 0) servicePause.begin(pauseMs);
    const ms = servicePause.leftMs() + Math.round(backOffMs * (0.5 + Math.random() / 2));
    this.#cancelRest();
    const timer = setTimeout(() => this.#post({ on: 'restart due' }, () => this.#restTimer === timer), ms);
    this.#restTimer = timer;
  }

  #cancelRest(): void {
    clearTimeout(this.#restTimer);
    this.#restTimer = undefined;
  }

  /** False if WhatsApp did not confirm, so the phone may still list this device. */
  async #logOut(): Promise<boolean> {
    const logout = this.#session?.unlink().catch((error: unknown) => {
      this.#o.log.warn({ err: error }, 'logging out failed');
      return false;
    });
    return (await logout) ?? true;
  }

  /** Checks the queue, and answers what the row asks for. */
  async #serve({ groups, pageCheck, checks, passkey }: Extract<Effect, { do: 'serve' }>): Promise<void> {
    const session = this.#session;
    this.dispatch.wake();
    if (groups && session) void this.#requests.listGroups(session);
    if (pageCheck && session) void this.#requests.check(session);
    if (checks && this.#row) void this.#checks.run(paceOf(this.#row));
    const reply = passkey ? await takePasskeyReply(...this.#at) : null;
    if (reply) await session?.replyPasskey(reply.attempt, reply.reply);
  }
}
