import type { EngineState, KeptBuild, SelfTestResult } from '../engine.ts';
import { LINKING_MS, type NumberStatus, UNSEEN_MS } from '../number-state.ts';
import { PASSKEY_MS, PASSKEY_STEP_MS, type PasskeyAttempt, type PasskeyStep } from '../passkey.ts';
import type { Cause, PlainCause } from './cause.ts';
import type { SessionRow } from './session-row.ts';

/**
 * What a worker does with a number: for each event, what changes and what is done. `machine.golden.txt` shows `TABLE` as
 * text. Pure; `worker/numbers/runner.ts` performs the effects.
 */

export const PHASES = [
  'off', // no session, and none is planned
  'starting', // a session is open and has not connected yet; it may show codes or load the data of a phone
  'connected', // it dispatches messages
  'waiting', // it is disconnected, and connects again without a restart
  'resting', // it was lost, and the next one starts after a pause
] as const;
export type Phase = (typeof PHASES)[number];

export interface NumberState {
  phase: Phase;
  /** As last read. */
  row: SessionRow | null;
  /** The revision of the intent that was last acted on. */
  applied: number | null;
  /** The last reading had a new revision. */
  isNew: boolean;
  /** Every copy of the session is, or may be, too old to start from. */
  stale: boolean;
  /** Since the profile was acquired, no session has reported anything but a QR. */
  unused: boolean;
  /** The current browser started from a profile that is known to be intact. */
  intact: boolean;
  /** WhatsApp's server has ended the link, so a QR is expected and not a sign of damage. */
  linkEnded: boolean;
  /** Whether WhatsApp confirmed the logout for this revision of the intent. */
  loggedOut: { revision: number; confirmed: boolean } | null;
  /** The QR that the page shows. */
  qr: { code: string; expiresAtMs: number } | null;
  /** The page loads the data of a phone. The engine ends a page that makes no progress. */
  loading: boolean;
  /** WhatsApp asks for a passkey, and has not linked the number yet. */
  passkey: PasskeyAttempt | null;
  /** WhatsApp no longer accepts the pairing code that was shown. */
  codeOver: boolean;
  /** On the monotonic clock; null if the session has not connected since it was opened. */
  connectedAtMs: number | null;
  /** Restarts since a session was connected for a while. */
  failures: number;
  /** When connections ended without a visible reason, on the monotonic clock. */
  unseenAtMs: readonly number[];
  /** Tries new builds of WhatsApp Web. */
  triesBuilds: boolean;
  /** The last request to try a build, by its name. */
  triedBuild: string | null;
  restartPauseMsMax: number;
}

/** The state of a number whose lease was just claimed. */
export function initialState(
  given: Pick<NumberState, 'stale' | 'intact' | 'triesBuilds' | 'restartPauseMsMax'>,
): NumberState {
  return {
    ...given,
    ...{ phase: 'off', row: null, applied: null, isNew: false, unused: true, linkEnded: false },
    ...{ loggedOut: null, qr: null, loading: false, passkey: null, codeOver: false, connectedAtMs: null },
    ...{ failures: 0, unseenAtMs: [], triedBuild: null },
  };
}

/** Why a session is over before its time. `reason` is for the log and the metric. */
export interface Loss {
  reason: string;
  detail?: string | undefined;
  cause?: Cause | undefined;
  /** WhatsApp's service is unavailable for at least this long. */
  pauseMs?: number | undefined;
  /** Without back-off. */
  atOnce?: boolean | undefined;
  /** It was connected and sent nothing, so the back-off grows however long it was. */
  neverWorked?: boolean | undefined;
}

/** A state that lasts until a person acts, or until `blockedUntilMs` (ms since the epoch). */
export interface End {
  status: 'LOGGED_OUT' | 'CONFLICT' | 'BLOCKED' | 'UNLINKED';
  cause: Cause;
  blockedUntilMs: number | null;
  /** Any worker starts the number once afterwards. */
  startsAgain: boolean;
}

export type PhoneRefusal = Extract<Cause, { code: 'phone_refused' }>['why'];

/** What the page reports: the engine's states, by their names. */
export type PageEvent = EngineState extends infer S
  ? S extends { state: infer N }
    ? Omit<S, 'state'> & { on: N }
    : never
  : never;

export type NumberEvent =
  | PageEvent
  /** The row may have changed, or something in it is due. */
  | { on: 'changed' }
  | { on: 'restart due' }
  /** The number was just taken from another worker, perhaps. */
  | { on: 'begun' }
  | { on: 'arrival late' }
  /** The session is over: it did not start, answers no probe, sends nothing, or has no build. */
  | ({ on: 'lost' } & Loss)
  /** It answers probes again. */
  | { on: 'recovered' }
  | { on: 'qr code'; code: string; expiresAtMs: number }
  | { on: 'code over' }
  /** The page has passed its self-test. */
  | { on: 'tested'; result: SelfTestResult }
  /** A task failed too often. */
  | { on: 'given up' }
  // The answers to effects.
  /** `build`: the version that the page runs, if that is known. */
  | { on: 'row'; row: SessionRow | null; build: string | null }
  /** `leaving`: why it leaves its build for another one. */
  | ({ on: 'losing'; row: SessionRow | null; leaving: Cause | null } & Loss)
  | ({ on: 'ending'; row: SessionRow | null } & End)
  | { on: 'chosen'; build: KeptBuild | null }
  | { on: 'restored' }
  | { on: 'not restored' }
  /** No build helps. */
  | { on: 'refused'; cause: Cause; until: number | null }
  | { on: 'admitted'; replaced: boolean }
  | { on: 'phone refused'; refusal: PhoneRefusal }
  /** Its connection is stored. */
  | { on: 'shown'; row: SessionRow | null }
  | { on: 'unlinked'; confirmed: boolean; refusal: PhoneRefusal | null }
  | { on: 'code shown' }
  | { on: 'no code'; cause: Cause };
export type EventName = NumberEvent['on'];
type EventOf<N extends EventName> = Extract<NumberEvent, { on: N }>;

/** What the linking page shows. Fields that are not given keep their value. */
export interface LinkWrite {
  qr?: string | null;
  qrExpiresAtMs?: number;
  pairingCode?: string | null;
  syncPercent?: number | null;
  /** Deletes an unread reply to an earlier step. */
  passkey?: PasskeyAttempt | null;
}

/** What is done. Each can be done again when the database has failed. */
export type Effect =
  | { do: 'serve'; groups: boolean; pageCheck: boolean; checks: boolean; passkey: boolean }
  | { do: 'watch arrival'; ms: number }
  | { do: 'watch linking'; ms: number }
  | { do: 'open'; build: KeptBuild | null; untilStarted: boolean }
  | { do: 'stop dispatching'; graceMs: number }
  | { do: 'pause' }
  | { do: 'end browser'; reason: string; detail?: string | undefined }
  | { do: 'close' }
  | { do: 'count loss'; reason: string }
  | { do: 'rest'; pauseMs: number; backOffMs: number; failures: number }
  | { do: 'release' }
  | { do: 'write'; status: NumberStatus; cause: Cause | null; blockedUntilMs?: number | null }
  | { do: 'write waiting'; cause: Cause }
  | { do: 'settle'; revision: number }
  | { do: 'cancel waiting'; accountId: string; cause: Cause }
  | { do: 'read health' }
  | { do: 'dispatch' }
  | { do: 'pass test'; result: SelfTestResult }
  | { do: 'write link'; link: LinkWrite }
  | { do: 'forget link' }
  | { do: 'write first code' }
  | { do: 'extend linking'; ms: number }
  | { do: 'watch code' }
  | Question;
/** Effects whose answer is the next event. Each is the last of its step. */
export type Question =
  | { do: 'read row' } // row
  | { do: 'read row again'; next: ({ on: 'losing' } & Loss) | ({ on: 'ending' } & End) } // that
  | { do: 'choose build' } // chosen, lost
  | { do: 'restore good copy' } // restored, not restored
  | { do: 'admit phone'; phone: string } // admitted, phone refused
  | { do: 'write connected'; cause: Cause | null } // shown, unless the lease is lost
  | { do: 'log out'; refusal: PhoneRefusal | null } // unlinked
  | { do: 'find build'; cause: Cause; until: number | null } // lost, refused
  | { do: 'judge test'; build: string; failed: string } // lost, refused
  | { do: 'request code'; phone: string }; // code shown, no code

/** The effects that need no more than what their event says. */
type Said<E> = {
  [D in Effect['do']]: E extends Omit<Extract<Effect, { do: D }>, 'do'> ? D : never;
}[Effect['do']];

/** The times of a step: the monotonic clock, and the wall clock. Both in ms. */
export interface Now {
  nowMs: number;
  epochMs: number;
}

/** A row of the table. The first one that applies is taken; one that goes on has its effects before it. */
export interface Rule<E extends NumberEvent = never> {
  in?: readonly Phase[];
  when?: (state: NumberState, event: E) => boolean;
  goesOn?: true;
  set?: (state: NumberState, event: E, now: Now) => Partial<NumberState>;
  do: readonly (Said<E> | ((state: NumberState, event: E, now: Now) => Effect | readonly Effect[] | null))[];
}

/** When the session is restarted or ended deliberately, the current dispatch may take this long to get its outcome. */
const RESTART_GRACE_MS = 30_000;
const END_GRACE_MS = 5_000;
/** A phone that was linked in time gets this much longer to load its data if its page is lost meanwhile. */
const LOAD_MS_MAX = 10 * 60_000;
const CHECK_MS = 1000;
/** How long the owner has at least, where it is not {@link PASSKEY_STEP_MS}. */
const STEP_MS: Partial<Record<PasskeyStep['at'], number>> = { sign: PASSKEY_MS, failed: LINKING_MS };
/** What linking waits for. Steps that follow at once have one cause, so that the number's history has one entry. */
export const PASSKEY_CAUSES: Record<PasskeyStep['at'], PlainCause> = {
  begun: 'passkey_asked',
  sign: 'passkey_asked',
  phone: 'passkey_confirmed',
  code: 'passkey_code',
  finish: 'passkey_confirmed',
  failed: 'passkey_failed',
};
const BACK_OFF_MS = 1000;
/** The longest delay, unless a number has a shorter one. */
export const RESTART_PAUSE_MS_MAX = 15 * 60_000;
/** After a session that was connected for this long, the delay is the shortest again. */
const HEALTHY_MS = 60_000;
/** So many connections that ended without a visible reason, within this time, may be a fight over the number. */
const UNSEEN_MAX = 3;
const UNSEEN_WITHIN_MS = 3_600_000;

/** A page that reports one of these has used its stored session. */
const SHOWS_LINK: ReadonlySet<EventName> = new Set<EventName>([
  ...(['passkey', 'syncing', 'ready', 'waiting', 'leaving', 'logged_out'] as const),
  ...(['conflict', 'blocked', 'unfit', 'gone'] as const),
]);

type State = NumberState;
const OPEN: readonly Phase[] = ['starting', 'connected', 'waiting'];

// Guards. Their names are in the table.

const wants = (intent: SessionRow['intent']) =>
  named(`intent ${intent}`, ({ row }: State) => row?.intent === intent);
const wantsLink = wants('link');
const wantsRun = wants('run');
const wantsUnlink = wants('unlink');
const hasNoRow = ({ row }: State) => row === null;
const isUnwanted = ({ row }: State) => !row || row.intent === 'idle' || row.intent === 'unlink';
const isNewLink = (s: State) => wantsLink(s) && s.isNew;
const isNewPasskeyLink = (s: State) => isNewLink(s) && s.passkey !== null;
/** No phone was linked in time. */
const linkingIsOver = (s: State) => {
  const { row, loading } = s;
  if (row?.intent !== 'link' || loading) return false;
  const leftMs = row.linkLeftMs ?? 0;
  if (row.status === 'SYNCING') return leftMs < -LOAD_MS_MAX;
  return leftMs <= 0 || isUnseen(s);
};
/** Codes are shown, and nobody has looked at them lately. A passkey is given on another page. */
const isUnseen = ({ row, loading, passkey }: State) =>
  row?.status === 'LINKING' && !loading && passkey === null && (row.unseenLeftMs ?? 1) <= 0;
const isStale = (s: State) => wantsRun(s) && s.stale;
const isStopped = (s: State) => wantsRun(s) && !!s.row?.sessionStop;
const isBlocked = (s: State) => wantsRun(s) && (s.row?.blockedLeftMs ?? 0) > 0;
const banIsOver = (s: State) => wantsRun(s) && s.row?.status === 'BLOCKED';
/** A request to try a build counts once. */
const isAskedToTry = (s: State, { build }: EventOf<'row'>) =>
  wantsRun(s) &&
  s.triesBuilds &&
  build !== null &&
  (s.row?.buildToTry?.wish ?? s.triedBuild) !== s.triedBuild;
const hasBuildToTry = (s: State, event: EventOf<'row'>) =>
  isAskedToTry(s, event) && s.row?.buildToTry?.version !== event.build;
const noteTry = ({ row }: State) => ({ triedBuild: row?.buildToTry?.wish ?? null });
const isLoggedOut = (s: State) => wantsUnlink(s) && s.loggedOut?.revision === s.row?.intentRevision;
/** The device was removed on the phone, or the stored session is damaged: only an intact profile shows which. */
const mayBeDamaged = (s: State) => wantsRun(s) && s.unused && !s.intact;
const endsUnseen = (s: State, { unseen }: EventOf<'gone'>) => !!unseen && s.unseenAtMs.length >= UNSEEN_MAX;
const isMoving = ({ row }: State) => (row?.moveLeftMs ?? 0) > 0;
/** The last pairing code is over, and somebody still looks. */
const awaitsNextCode = (s: State) => {
  const unseenLeftMs = s.row?.unseenLeftMs ?? Number.POSITIVE_INFINITY;
  const isSeen = unseenLeftMs > UNSEEN_MS.code - UNSEEN_MS.qr;
  return wantsLink(s) && s.codeOver && isSeen && !s.loading && s.passkey === null;
};
const isRefusal = (_: State, { refusal }: EventOf<'unlinked'>) => refusal !== null;
const nobodyWantsIt = (_: State, { row }: EventOf<'losing'>) => !row || row.intent === 'idle';
const linkIsWanted = (_: State, { row }: EventOf<'losing'>) => row?.intent === 'link';
const runIsWanted = (_: State, { row }: EventOf<'losing'>) => row?.intent === 'run';

// Effects.

const serve = ({ row, phase }: State): Effect => ({
  do: 'serve',
  groups: !!row?.groupsAsked && phase === 'connected',
  pageCheck: !!row?.pageCheckAsked && phase === 'connected',
  checks: !!row?.checksAsked && phase === 'connected',
  passkey: !!row?.passkeyReplied && OPEN.includes(phase),
});
const watchArrival = ({ row }: State): Effect => ({ do: 'watch arrival', ms: row?.moveLeftMs ?? 0 });
const watchLinking = ({ row }: State): Effect => {
  const leftMs = Math.min(row?.linkLeftMs ?? 0, row?.unseenLeftMs ?? Number.POSITIVE_INFINITY);
  return { do: 'watch linking', ms: Math.max(leftMs, CHECK_MS) };
};
const stopDispatching = (graceMs: number) =>
  named('stop dispatching', (): Effect => ({ do: 'stop dispatching', graceMs }));
const open = ({ row }: State, { build }: EventOf<'chosen'>): Effect => ({
  ...{ do: 'open', build, untilStarted: row?.intent === 'unlink' },
});

const write = (status: NumberStatus, code: PlainCause | null) =>
  named(
    code === null ? `write ${status}` : `write ${status} (${code})`,
    (): Effect => ({ do: 'write', status, cause: code && { code } }),
  );
/** The state of a number whose phone was never linked, or was linked before. */
const unlinkedStatus = ({ row }: State) => (row?.phoneNumber ? 'LOGGED_OUT' : 'UNLINKED');
const writeExpired = (s: State): Effect => {
  const unscanned = (s.row?.linkLeftMs ?? 0) > 0 && isUnseen(s) ? 'codes_unseen' : 'linking_expired';
  const code = s.row?.status === 'SYNCING' ? 'not_loaded' : s.passkey ? 'passkey_expired' : unscanned;
  return { do: 'write', status: unlinkedStatus(s), cause: { code } };
};
const writeStop = ({ row }: State): Effect | null =>
  row?.sessionStop ? { do: 'write', status: 'RECONNECTING', cause: { code: row.sessionStop } } : null;
const writeUnlinked = ({ loggedOut }: State): Effect => {
  const code = loggedOut?.confirmed ? 'unlinked' : 'unlink_unconfirmed';
  return { do: 'write', status: 'UNLINKED', cause: { code } };
};
const writeConnected = (_: State, { replaced }: EventOf<'admitted'>): Effect => ({
  ...{ do: 'write connected', cause: replaced ? { code: 'phone_replaced' } : null },
});
const settle = ({ row }: State): Effect | null => row && { do: 'settle', revision: row.intentRevision };

const lossCause = ({ leaving, cause }: EventOf<'losing'>) => leaving ?? cause ?? null;
const writeReconnecting = (_: State, event: EventOf<'losing'>): Effect => ({
  ...{ do: 'write', status: 'RECONNECTING', cause: lossCause(event) ?? { code: 'connection_lost' } },
});
const writeLinkingCause = (_: State, event: EventOf<'losing'>): Effect | null => {
  const cause = lossCause(event);
  return cause && { do: 'write', status: 'LINKING', cause };
};
/** The next session starts after a delay that doubles with each failure, at once if another build may work. */
const rest = (s: State, event: EventOf<'losing'> | EventOf<'given up'>, { nowMs }: Now): Effect => {
  const given: Partial<EventOf<'losing'>> = event.on === 'losing' ? event : {};
  const { leaving = null, pauseMs = 0, atOnce = false, neverWorked = false } = given;
  const connectedMs = neverWorked || s.connectedAtMs === null ? 0 : nowMs - s.connectedAtMs;
  const failures = connectedMs >= HEALTHY_MS ? 0 : s.failures;
  if (leaving !== null || atOnce) return { do: 'rest', pauseMs, backOffMs: 0, failures: s.failures };
  const backOffMs = Math.min(s.restartPauseMsMax, BACK_OFF_MS * 2 ** failures);
  return { do: 'rest', pauseMs, backOffMs, failures: failures + 1 };
};
const readToLose = (_: State, event: EventOf<'lost' | 'gone'>): Effect => ({
  ...{ do: 'read row again', next: { ...event, on: 'losing' } },
});

/** Reads the row again, and ends the session in this state. */
const end = <E extends NumberEvent>(status: End['status'], cause: Cause | ((s: State, event: E) => Cause)) =>
  named(`end ${status}${'code' in cause ? ` (${cause.code})` : ''}`, (s: State, event: E) =>
    ending({ status, cause: 'code' in cause ? cause : cause(s, event) }),
  );
const ending = (given: Pick<End, 'status' | 'cause'> & Partial<End>): Effect => ({
  do: 'read row again',
  next: { on: 'ending', blockedUntilMs: null, startsAgain: false, ...given },
});
const endBlocked = (s: State, { cause, until }: EventOf<'refused'>) => {
  const startsAgain = until !== null && wantsRun(s);
  const why = cause.code === 'ban' ? { ...cause, startsAgain } : cause;
  return ending({ status: 'BLOCKED', cause: why, blockedUntilMs: until, startsAgain });
};
const endRefused = (s: State, { confirmed, refusal: why }: EventOf<'unlinked'>) =>
  why &&
  ending({ status: unlinkedStatus(s), cause: { code: 'phone_refused', why, stillListed: !confirmed } });
/** Whether it is known that the link has ended, and not only the stored session. */
const linkGone = ({ intact, linkEnded }: State): Cause =>
  intact || linkEnded ? { code: 'logged_out', reason: null } : { code: 'link_gone' };
const logoutCause = (_: State, { reason }: EventOf<'logged_out'>): Cause => ({ code: 'logged_out', reason });
/** Callers that wait get the cause as their answer. */
const cancelWaiting = (_: State, { row, cause }: EventOf<'ending'>): Effect | null =>
  row && { do: 'cancel waiting', accountId: row.accountId, cause };
const settleUnlessItStartsAgain = (_: State, { row, startsAgain }: EventOf<'ending'>): Effect | null =>
  row && !startsAgain ? { do: 'settle', revision: row.intentRevision } : null;

const logOut = named('log out', (): Effect => ({ do: 'log out', refusal: null }));

const writeLink = (link: LinkWrite): Effect => ({ do: 'write link', link });
/** From the first code on, somebody has to look. */
const writeFirstCode = ({ row, passkey }: State): Effect | null =>
  passkey || row?.status !== 'LINKING' ? { do: 'write first code' } : null;
const forgetPasskey = ({ passkey }: State) => passkey && writeLink({ passkey: null });
const requestCode = ({ row }: State): Effect | null =>
  row?.pairingPhone ? { do: 'request code', phone: row.pairingPhone } : null;
const showQr = ({ qr }: State, _: unknown, { epochMs }: Now) =>
  qr && qr.expiresAtMs > epochMs ? writeLink({ qr: qr.code, qrExpiresAtMs: qr.expiresAtMs }) : null;
const writeQr = (_: State, { code, expiresAtMs }: EventOf<'qr code'>) =>
  writeLink({ qr: code, qrExpiresAtMs: expiresAtMs });
const showAttempt = (shown: PasskeyAttempt): readonly Effect[] => [
  { do: 'extend linking', ms: STEP_MS[shown.step.at] ?? PASSKEY_STEP_MS },
  writeLink({ qr: null, pairingCode: null, passkey: shown }),
  { do: 'write', status: 'LINKING', cause: { code: PASSKEY_CAUSES[shown.step.at] } },
];
const showPasskey = ({ passkey }: State) => passkey && showAttempt(passkey);
const showStep = (_: State, { attempt, step }: EventOf<'passkey'>) => showAttempt({ attempt, step });
const writeProgress = (_: State, { percent }: EventOf<'syncing'>) =>
  writeLink({ qr: null, pairingCode: null, syncPercent: percent, passkey: null });
const writeNoCode = (_: State, { cause }: EventOf<'no code'>): Effect => ({
  ...{ do: 'write', status: 'LINKING', cause },
});

/** For each event its rows. Without one that applies, nothing happens. */
export const TABLE: { readonly [N in EventName]: readonly Rule<EventOf<N>>[] } = {
  changed: [{ do: ['read row'] }],
  'restart due': [{ in: ['resting'], set: () => ({ phase: 'off' }), do: ['read row'] }, { do: ['read row'] }],
  row: [
    {
      goesOn: true,
      set: ({ applied }, { row }) => ({
        ...{ row, isNew: row?.intentRevision !== applied, applied: row?.intentRevision ?? applied },
      }),
      do: [],
    },
    { goesOn: true, do: [serve] },
    { when: hasNoRow, do: ['close', 'release'] },
    { when: linkingIsOver, do: ['close', writeExpired, settle, 'release'] },
    { when: wantsLink, goesOn: true, do: [watchLinking] },
    { in: ['off'], when: wantsLink, do: ['choose build'] },
    { in: ['resting'], when: isNewLink, do: ['choose build'] },
    { in: OPEN, when: isNewPasskeyLink, set: () => ({ qr: null }), do: [showPasskey] },
    { in: OPEN, when: isNewLink, do: [showQr, requestCode] },
    { in: OPEN, when: awaitsNextCode, set: () => ({ codeOver: false }), do: [requestCode] },
    { when: isStale, do: [end('LOGGED_OUT', { code: 'session_stale' })] },
    { when: isStopped, do: [stopDispatching(END_GRACE_MS), 'close', writeStop, 'release'] },
    { when: isBlocked, do: ['close', 'release'] },
    { when: banIsOver, goesOn: true, do: [write('RECONNECTING', 'ban_over')] },
    { in: ['off'], when: wantsRun, do: ['choose build'] },
    {
      when: hasBuildToTry,
      set: noteTry,
      // Closed before the write, which can fail: a session that no longer dispatches must not stay open.
      do: [stopDispatching(RESTART_GRACE_MS), 'close', write('RECONNECTING', 'build_tested'), 'choose build'],
    },
    { when: isAskedToTry, set: noteTry, do: [] },
    { when: isLoggedOut, do: ['close', writeUnlinked, settle, 'release'] },
    { in: ['off', 'resting'], when: wantsUnlink, do: ['choose build'] },
    { when: wantsUnlink, do: [stopDispatching(END_GRACE_MS), logOut] },
    { when: wants('idle'), do: ['close', 'release'] },
  ],
  begun: [{ when: isMoving, do: [watchArrival] }],
  'arrival late': [
    {
      ...{ in: PHASES.filter((phase) => phase !== 'connected'), when: wantsRun },
      do: [write('RECONNECTING', 'connection_lost')],
    },
  ],

  chosen: [{ when: wantsUnlink, do: [open, stopDispatching(END_GRACE_MS), logOut] }, { do: [open] }],
  qr: [
    { when: mayBeDamaged, do: ['close', 'restore good copy'] },
    { when: wantsRun, do: [end('LOGGED_OUT', linkGone)] },
    {
      when: wantsLink,
      set: () => ({ loading: false, passkey: null }),
      do: [writeFirstCode, forgetPasskey, write('LINKING', null), requestCode],
    },
  ],
  restored: [{ set: () => ({ intact: true }), do: ['choose build'] }],
  'not restored': [{ do: [end('LOGGED_OUT', linkGone)] }],
  'qr code': [
    { goesOn: true, set: (_, { code, expiresAtMs }) => ({ qr: { code, expiresAtMs } }), do: [] },
    { when: wantsLink, do: [writeQr] },
  ],
  'code shown': [{ set: () => ({ codeOver: false }), do: ['watch code'] }],
  'code over': [{ set: () => ({ codeOver: true }), do: ['read row'] }],
  'no code': [{ do: [writeNoCode] }],
  passkey: [
    {
      when: wantsLink,
      set: (_, { attempt, step }) => ({ qr: null, passkey: { attempt, step } }),
      do: [showStep],
    },
  ],
  syncing: [
    {
      when: wantsLink,
      set: () => ({ loading: true, passkey: null }),
      do: [write('SYNCING', null), writeProgress],
    },
  ],

  tested: [{ do: ['pass test'] }],
  ready: [
    { goesOn: true, set: () => ({ linkEnded: false }), do: [] },
    { when: isUnwanted, do: [] },
    { do: ['admit phone'] },
  ],
  admitted: [
    { in: OPEN, do: [writeConnected] },
    // An earlier try refused the phone and closed the session.
    { do: ['read row'] },
  ],
  shown: [
    {
      set: ({ connectedAtMs }, { row }, { nowMs }) => ({ row, connectedAtMs: connectedAtMs ?? nowMs }),
      // The restrictions are read before anything is sent: WhatsApp may refuse the recipients of waiting messages.
      do: ['read health', 'dispatch'],
    },
  ],
  'phone refused': [{ do: ['log out'] }],
  recovered: [{ in: ['connected'], do: [write('CONNECTED', null)] }],
  waiting: [{ do: ['pause', 'write waiting'] }],
  // Its status stays: it does not reconnect, and it must not be linked again before this session has ended.
  leaving: [{ do: ['pause'] }],

  gone: [
    {
      goesOn: true,
      set: (s, { linkEnded, unseen }, { nowMs }) => ({
        linkEnded: s.linkEnded || linkEnded === true,
        unseenAtMs: unseen
          ? [...s.unseenAtMs.filter((atMs) => nowMs - atMs < UNSEEN_WITHIN_MS), nowMs]
          : s.unseenAtMs,
      }),
      do: [],
    },
    { when: endsUnseen, set: () => ({ unseenAtMs: [] }), do: [end('CONFLICT', { code: 'unseen_ends' })] },
    { do: ['end browser', readToLose] },
  ],
  lost: [{ do: ['end browser', readToLose] }],
  losing: [
    { when: nobodyWantsIt, do: ['close', 'count loss', 'release'] },
    // The codes of a browser that has ended link no phone.
    { when: linkIsWanted, do: ['forget link', writeLinkingCause, 'close', 'count loss', rest] },
    { when: runIsWanted, do: [writeReconnecting, 'close', 'count loss', rest] },
    { do: [writeLinkingCause, 'close', 'count loss', rest] },
  ],
  'given up': [{ do: ['close', rest] }],

  logged_out: [{ do: [end('LOGGED_OUT', logoutCause)] }],
  conflict: [{ do: [end('CONFLICT', { code: 'conflict' })] }],
  blocked: [{ do: ['find build'] }],
  unfit: [{ do: ['judge test'] }],
  refused: [{ do: [endBlocked] }],
  unlinked: [
    { when: isRefusal, do: [endRefused] },
    {
      goesOn: true,
      set: ({ row }, { confirmed }) => ({ loggedOut: row && { revision: row.intentRevision, confirmed } }),
      do: [],
    },
    { do: ['close', writeUnlinked, settle, 'release'] },
  ],
  ending: [{ do: ['write', 'close', cancelWaiting, settleUnlessItStartsAgain, 'release'] }],
};

/** The phase that an effect leads to. */
export const LEADS_TO: Partial<Record<Effect['do'], Phase>> = {
  ...{ open: 'starting', dispatch: 'connected', pause: 'waiting', close: 'off', rest: 'resting' },
};

/** The state after an effect. */
function after(state: NumberState, effect: Effect): NumberState {
  // A page that has not connected yet only stays so.
  const stays = effect.do === 'pause' && state.phase !== 'connected';
  const phase = stays ? state.phase : (LEADS_TO[effect.do] ?? state.phase);
  if (effect.do === 'close' || effect.do === 'dispatch')
    return { ...state, phase, loading: false, passkey: null, codeOver: false };
  // A new page does not show a QR yet.
  if (effect.do === 'open') return { ...state, phase, qr: null, connectedAtMs: null };
  // That session counts once.
  if (effect.do === 'rest') return { ...state, phase, failures: effect.failures, connectedAtMs: null };
  return { ...state, phase };
}

/** What an event changes, and what is done for it, in this order. `taken`: the rows of the table. */
export function step(
  before: NumberState,
  event: NumberEvent,
  now: Now,
): { state: NumberState; effects: Effect[]; taken: Rule<NumberEvent>[] } {
  let state = before;
  if (SHOWS_LINK.has(event.on)) state = { ...state, unused: false, intact: false };
  const effects: Effect[] = [];
  const taken: Rule<NumberEvent>[] = [];
  for (const rule of TABLE[event.on] as readonly Rule<NumberEvent>[]) {
    if (rule.in?.includes(state.phase) === false || rule.when?.(state, event) === false) continue;
    const own = rule.do.flatMap((one) =>
      typeof one === 'string' ? ({ ...event, do: one } as Effect) : (one(state, event, now) ?? []),
    );
    state = { ...own.reduce(after, state), ...rule.set?.(state, event, now) };
    effects.push(...own);
    taken.push(rule);
    if (!rule.goesOn) break;
  }
  return { state, effects, taken };
}

/** A failed task leaves the state as it was, except for what it has learned and done. */
export function undone(before: NumberState, now: NumberState, done: readonly Effect[]): NumberState {
  const { row, loggedOut, unused, linkEnded, triedBuild } = now;
  const intact = before.intact && now.intact;
  return done.reduce(after, { ...before, row, loggedOut, unused, linkEnded, triedBuild, intact });
}

/** For the table's text. */
function named<F extends object>(name: string, value: F): F {
  return Object.defineProperty(value, 'name', { value: name });
}
