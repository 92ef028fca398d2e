import type { EngineState } from '#server/core/engine.ts';
import type { Holding } from '#server/core/lease.ts';
import type { Cause } from '#server/core/number/cause.ts';
import { cancelWaiting } from '#server/messages/queries/cancel-waiting.ts';
import { forgetGoodCopy } from '#server/numbers/queries/profiles.ts';
import { findSession, type SessionRow, settleIntent, writeStatus } from '#server/numbers/queries/sessions.ts';
import type { Database } from '#server/platform/db/client.ts';
import type { Log } from '#server/platform/log.ts';
import { withTimeout } from '../engine/timeout.ts';
import type { Source } from '../profiles/acquire-profile.ts';
import { admitPhone, type PhoneRefusal } from './admit-phone.ts';
import type { HealthRecorder } from './health-recorder.ts';
import type { Linking } from './linking.ts';
import type { PageBuild } from './page-build.ts';
import type { RunningSession } from './running-session.ts';

interface SessionStatesOptions {
  database: Database;
  log: Log;
  holding: Holding;
  /** Where the number's profile was acquired from. */
  source: Source;
  running: RunningSession;
  linking: Linking;
  health: HealthRecorder;
  builds: PageBuild;
  /** The row as last read. */
  row(): SessionRow | null;
  /** Reads the row again. */
  reload(): Promise<void>;
  setStatus(status: SessionRow['status'], cause: Cause | null): Promise<boolean>;
  setWaiting(cause: Cause): Promise<void>;
  /** Opens a session on the build that the number should use. */
  reopen(): Promise<void>;
  restoreGoodCopy(): Promise<boolean>;
  onIdle(): void;
}

/** Messages wait at most this long for WhatsApp's restrictions to be read. */
const HEALTH_MS = 3000;

export class SessionStates {
  readonly #o: SessionStatesOptions;
  /** Since the profile was acquired, no session has reported anything but a QR. */
  #isUnused = true;
  /** The current browser started from a profile that is known to be intact. */
  #isIntact: boolean;
  /** WhatsApp's server has ended the link, so a QR is expected and not a sign of damage. */
  #linkEnded = false;

  constructor(options: SessionStatesOptions) {
    this.#o = options;
    this.#isIntact = options.source === 'snapshot';
  }

  async onState(state: EngineState): Promise<void> {
    if (state.state !== 'qr') this.#isUnused = this.#isIntact = false;
    switch (state.state) {
      case 'qr':
        if (this.#o.row()?.intent === 'run') return this.#onQrAlthoughLinked();
        return this.#o.linking.onUnpaired();
      case 'passkey':
        return this.#o.linking.onPasskey(state);
      case 'syncing':
        return this.#o.linking.onSyncing(state.percent);
      case 'ready':
        this.#o.log.info({ build: state.build }, 'connected');
        this.#linkEnded = false;
        return this.#onReady(state.phone);
      case 'waiting':
        this.#o.running.waiting();
        return this.#o.setWaiting(state.cause);
      case 'leaving':
        // Its status stays: it does not reconnect, and it must not be linked again before this session has ended.
        return this.#o.running.waiting();
      case 'logged_out':
        return this.end('LOGGED_OUT', { code: 'logged_out', reason: state.reason });
      case 'conflict':
        return this.end('CONFLICT', { code: 'conflict' });
      case 'blocked':
        return this.#blocked(state.cause, state.until);
      case 'unfit':
        return this.#unfit(state);
      case 'gone':
        this.#linkEnded ||= state.linkEnded === true;
        if (state.unseen && this.#o.running.endedUnseen())
          return this.end('CONFLICT', { code: 'unseen_ends' });
        return this.#o.running.lost(state.reason, state);
      default:
        return state satisfies never;
    }
  }

  /**
   * The page shows a QR although the number is linked: the device was removed on the phone, or the stored session is
   * damaged. Only a session that started from an intact profile shows which.
   */
  async #onQrAlthoughLinked(): Promise<void> {
    const wasIntact = this.#isIntact;
    if (this.#isUnused && !wasIntact) {
      await this.#o.running.close();
      if (await this.#o.restoreGoodCopy()) {
        this.#o.log.warn(
          'the stored session is damaged, or the device was removed: trying the last good copy',
        );
        await this.#o.reopen();
        this.#isIntact = true;
        return;
      }
    }
    const known = wasIntact || this.#linkEnded;
    return this.end('LOGGED_OUT', known ? { code: 'logged_out', reason: null } : { code: 'link_gone' });
  }

  async #onReady(phone: string): Promise<void> {
    const { database, holding } = this.#o;
    const row = this.#o.row();
    if (!row || row.intent === 'unlink' || row.intent === 'idle') return;
    const admitted = await admitPhone(database, holding, { row, phone });
    if ('refused' in admitted) return this.#refuse(admitted.refused);
    if (!(await this.#o.setStatus('CONNECTED', admitted.replaced ? { code: 'phone_replaced' } : null)))
      return;
    await forgetGoodCopy(database, holding);
    await this.#o.reload();
    this.#o.linking.stop();
    // Read before anything is sent, because WhatsApp may refuse the recipients of waiting messages.
    await withTimeout(HEALTH_MS, 'the restrictions', this.#o.health.read()).catch(() => {});
    await this.#o.running.connected();
  }

  /** Logs out a phone that may not be linked here. */
  async #refuse(why: PhoneRefusal): Promise<void> {
    const row = this.#o.row();
    const stillListed = !(await this.logOut());
    await this.end(row?.phoneNumber ? 'LOGGED_OUT' : 'UNLINKED', { code: 'phone_refused', why, stillListed });
  }

  /** Logs the session out. False if WhatsApp did not confirm, so the phone may still list this device. */
  async logOut(): Promise<boolean> {
    const logout = this.#o.running.session?.unlink().catch((error: unknown) => {
      this.#o.log.warn({ err: error }, 'logging out failed');
      return false;
    });
    return (await logout) ?? true;
  }

  /** The page's self-test failed, so nothing more is sent with it. */
  async #unfit(state: Extract<EngineState, { state: 'unfit' }>): Promise<void> {
    const after = await this.#o.builds.failed(state);
    if ('blocked' in after) return this.end('BLOCKED', after.blocked);
    return this.#o.running.lost('the self-test failed', { cause: after.restart, atOnce: after.atOnce });
  }

  /** WhatsApp refuses the number. If the end is known, any worker starts a linked number once afterwards. */
  async #blocked(cause: Cause, untilMs: number | null): Promise<void> {
    const fallback = await this.#o.builds.refused(cause);
    if (fallback !== null)
      return this.#o.running.lost('the build does not work', { cause: fallback, atOnce: true });
    const startsAgain = untilMs !== null && this.#o.row()?.intent === 'run';
    const why = cause.code === 'ban' ? { ...cause, startsAgain } : cause;
    await this.end('BLOCKED', why, { blockedUntilMs: untilMs, startsAgain });
  }

  /**
   * Ends the session in a state that lasts until a person acts, or until its end if that is known. Callers that
   * wait get the cause as their answer.
   */
  async end(
    status: 'LOGGED_OUT' | 'CONFLICT' | 'BLOCKED' | 'UNLINKED',
    cause: Cause,
    {
      blockedUntilMs = null,
      startsAgain = false,
    }: { blockedUntilMs?: number | null; startsAgain?: boolean } = {},
  ): Promise<void> {
    const { database, holding } = this.#o;
    const row = await findSession(database, holding);
    await writeStatus(database, holding, { status, cause, blockedUntilMs });
    await this.#o.running.close();
    if (row) {
      await cancelWaiting(database.db, {
        accountId: row.accountId,
        numberId: holding.numberId,
        holding,
        lane: 'sync',
        errorCode: 'not_connected',
        outcome: { say: 'cause', cause },
      });
      if (!startsAgain)
        await settleIntent(database, holding, { intent: 'idle', revision: row.intentRevision });
    }
    this.#o.onIdle();
  }
}
