import type { Holding } from '#server/core/lease.ts';
import type { Cause } from '#server/core/number/cause.ts';
import { paceOf } from '#server/numbers/pace.ts';
import { findSession, type SessionRow, settleIntent } from '#server/numbers/queries/sessions.ts';
import type { Database } from '#server/platform/db/client.ts';
import type { Source } from '../profiles/acquire-profile.ts';
import type { GroupList } from './group-list.ts';
import type { Linking } from './linking.ts';
import type { PageBuild } from './page-build.ts';
import type { PageChecks } from './page-checks.ts';
import type { RecipientChecks } from './recipient-checks.ts';
import type { RunningSession } from './running-session.ts';
import type { SessionStates } from './session-states.ts';

interface SessionIntentOptions {
  database: Database;
  holding: Holding;
  /** Where the number's profile was acquired from. */
  source: Source;
  running: RunningSession;
  states: SessionStates;
  linking: Linking;
  groups: GroupList;
  checks: RecipientChecks;
  pageChecks: PageChecks;
  builds: PageBuild;
  /** Reads the row again. */
  reload(): Promise<SessionRow | null>;
  setStatus(status: SessionRow['status'], cause: Cause | null): Promise<boolean>;
  /** Nothing is left to do for this number. */
  onIdle(): void;
}

/** When the session is restarted or ended deliberately, the current dispatch may take this long to get its outcome. */
const RESTART_GRACE_MS = 30_000;
const END_GRACE_MS = 5_000;

/**
 * Makes a number's session do what its owner wants: the row's intent. Its methods are tasks, which are retried from their
 * beginning when the database fails.
 */
export class SessionIntent {
  readonly #o: SessionIntentOptions;
  #appliedRevision = -1;
  /** Whether WhatsApp confirmed the logout, until that is stored. */
  #removed: boolean | null = null;

  constructor(options: SessionIntentOptions) {
    this.#o = options;
  }

  /** Makes the session do what the row's intent says. */
  async apply(): Promise<void> {
    const { running, groups, checks, pageChecks } = this.#o;
    const row = await this.#o.reload();
    running.wake();
    if (!row) return this.#finish();
    const { session, dispatching } = running;
    if (row.groupsAsked && session && dispatching) void groups.list(session);
    if (row.pageCheckAsked && session && dispatching) void pageChecks.run(session);
    if (row.checksAsked && dispatching) void checks.run(paceOf(row));
    if (row.passkeyReplied && session) await this.#o.linking.onPasskeyReply();
    await this.#apply(row, row.intentRevision !== this.#appliedRevision);
    this.#appliedRevision = row.intentRevision;
  }

  async #apply(row: SessionRow, isNew: boolean): Promise<void> {
    const { running, states, builds } = this.#o;
    switch (row.intent) {
      case 'link':
        return this.#link(row, isNew);
      case 'run':
        if (this.#o.source === 'stale') return states.end('LOGGED_OUT', { code: 'session_stale' });
        if (row.sessionStop) return this.#stopOnPurpose(row.sessionStop);
        if ((row.blockedLeftMs ?? 0) > 0) return this.#finish();
        if (row.status === 'BLOCKED') await this.#o.setStatus('RECONNECTING', { code: 'ban_over' });
        if (!running.session && !running.restartsLater) await this.open();
        else if (builds.isToRestart(row)) await this.#restart({ code: 'build_tested' });
        return;
      case 'unlink':
        return this.#unlink(row);
      case 'idle':
        return this.#finish();
      default:
        return row.intent satisfies never;
    }
  }

  /** Opens a session on the build that the number should use; null if no build is allowed. */
  async open(): Promise<{ started: Promise<void> } | null> {
    const choice = await this.#o.builds.choose();
    if ('build' in choice) return { started: this.#o.running.open(choice.build) };
    await this.#o.running.lost('no build to start on', { cause: choice.refused });
    return null;
  }

  /** Restarts the session once the current dispatch has its outcome. */
  async #restart(cause: Cause): Promise<void> {
    await this.#o.running.stopDispatching(RESTART_GRACE_MS);
    // Before the write, which can fail: a session that no longer dispatches must not stay open.
    await this.#o.running.close();
    await this.#o.setStatus('RECONNECTING', cause);
    await this.open();
  }

  async #link(row: SessionRow, isNew: boolean): Promise<void> {
    if (this.#o.linking.isOver(row)) return this.linkingEnded();
    this.#o.linking.watchTime(row);
    if (!this.#o.running.session) {
      if (isNew || !this.#o.running.restartsLater) await this.open();
    } else if (isNew) await this.#o.linking.showAgain(row);
  }

  /** The time for linking may be over. */
  async linkingEnded(): Promise<void> {
    const row = await findSession(this.#o.database, this.#o.holding);
    if (row?.intent !== 'link') return;
    if (!this.#o.linking.isOver(row)) return this.#o.linking.watchTime(row);
    const unseen = (row.linkLeftMs ?? 0) > 0 && this.#o.linking.isUnseen(row);
    const unscanned = unseen ? 'codes_unseen' : 'linking_expired';
    const expired = this.#o.linking.awaitsPasskey ? 'passkey_expired' : unscanned;
    await this.#o.running.close();
    const status = row.phoneNumber ? 'LOGGED_OUT' : 'UNLINKED';
    await this.#o.setStatus(status, { code: row.status === 'SYNCING' ? 'not_loaded' : expired });
    await settleIntent(this.#o.database, this.#o.holding, { intent: 'idle', revision: row.intentRevision });
    this.#o.onIdle();
  }

  async #unlink(row: SessionRow): Promise<void> {
    this.#removed ??= await this.#logOut();
    await this.#o.setStatus('UNLINKED', { code: this.#removed ? 'unlinked' : 'unlink_unconfirmed' });
    await settleIntent(this.#o.database, this.#o.holding, { intent: 'idle', revision: row.intentRevision });
    this.#removed = null;
    this.#o.onIdle();
  }

  /** Ends the link and the session. False if WhatsApp did not confirm. */
  async #logOut(): Promise<boolean> {
    const { running, states } = this.#o;
    if (!running.session) await (await this.open())?.started;
    await running.stopDispatching(END_GRACE_MS);
    const removed = await states.logOut();
    await running.close();
    return removed;
  }

  /** Keeps the link, so that the number can start again without its phone. */
  async #stopOnPurpose(code: 'plan_ended' | 'trial_idle'): Promise<void> {
    await this.#o.running.stopDispatching(END_GRACE_MS);
    await this.#o.running.close();
    await this.#o.setStatus('RECONNECTING', { code });
    this.#o.onIdle();
  }

  async #finish(): Promise<void> {
    await this.#o.running.close();
    this.#o.onIdle();
  }
}
