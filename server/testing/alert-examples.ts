import type { AlertKind, FactsOf } from '#server/core/alerts.ts';

const RESTRICTION = { limit: null, timelockKind: null, checkpoint: null, until: null } as const;
const UNTIL = '2026-11-30T14:05:00.000Z';
const NOW = { access: 'ok', status: 'CONNECTED', held: false } as const;
const RESTORE = {
  ...{ madeAt: '2026-11-22T18:00:07Z', rows: 1550, lostNothing: false, paused: false },
  ...{ unknown: 11, expired: 2, toLink: 3 },
} as const;

/** For each kind of alert, facts that are typical of it; null for none. */
export const ALERT_EXAMPLES: {
  [Kind in AlertKind]: readonly [FactsOf<Kind> | null, ...FactsOf<Kind>[]];
} = {
  logged_out: [null, { code: 'logged_out', reason: 'user_initiated' }],
  blocked: [{ code: 'ban', why: '101', until: UNTIL, startsAgain: false }, { code: 'terms_blocked' }],
  conflict: [{ code: 'conflict' }],
  suspended: [null, { reason: 'Complaints.' }],
  health: [
    null,
    { ...RESTRICTION, limit: 'timelock', timelockKind: 'DEFAULT', until: UNTIL },
    { ...RESTRICTION, limit: 'cap' },
    { ...RESTRICTION, limit: 'pause', until: UNTIL },
    { ...RESTRICTION, checkpoint: 'PASSKEY' },
  ],
  disconnected: [null, { code: 'no_answer' }],
  recovered: [
    null,
    { now: NOW, phoneEnd: '7386' },
    { now: { ...NOW, held: true }, phoneEnd: null },
    { now: { ...NOW, access: 'ended' }, phoneEnd: null },
  ],
  resumed: [null, { now: NOW }, { now: { ...NOW, status: 'LOGGED_OUT' } }],
  unrestricted: [null, { ...RESTRICTION, checkpoint: 'PASSKEY' }],
  to_decide: [
    { count: 3, scheduled: 0 },
    { count: 1, scheduled: 1 },
    { count: 5, scheduled: 2 },
  ],
  failures: [{ unclear: 2 }, { unclear: 0 }, { unclear: 5 }],
  not_sending: [null],
  build_changed: [
    { code: 'build_changed', build: '2.3000.7', what: 'messages do not pass the gate' },
    { code: 'build_replaced', build: '2.3000.7', what: 'messages do not pass the gate', good: '2.3000.6' },
  ],
  kinds_failing: [{ build: '2.3000.7', kinds: ['image', 'document', 'audio', 'contact'] }],
  disk_low: [null, { note: '812 MiB are free at /data (files).' }],
  disk_full: [null, { note: '96 MiB are free at /data (sessions).' }],
  disk_recovered: [null],
  webhook_off: [
    { url: 'https://heron.example/hook', why: 'gone' },
    { url: 'https://heron.example/hook', why: 'failing' },
  ],
  webhook_unsigned: [{ url: 'https://heron.example/hook' }],
  waiting_expired: [
    { count: 4, moved: true },
    { count: 1, moved: false },
  ],
  requests_refused: [{ count: 21, code: 'not_connected' }],
  requests_accepted: [{ refused: 3, accepted: 40 }],
  restored: [
    { ...RESTORE, moved: false, lost: '13 messages (9 sent, 4 waiting), 2 API keys', lostMessages: 13 },
    { ...RESTORE, moved: true, lost: 'only the links to the phones', lostMessages: 0 },
  ],
  records_lost: [
    { madeAt: '2026-11-22T18:00:07Z', lost: '13 messages (9 sent, 4 waiting)', messages: 13 },
    { madeAt: '2026-11-22T18:00:07Z', lost: '1 API key', messages: 0 },
    { madeAt: '2026-11-22T18:00:07Z', lost: null, messages: null },
  ],
  plan_7_days: [{ paidUntil: '2026-11-30' }],
  plan_1_day: [{ paidUntil: '2026-11-24' }],
  plan_grace: [{ paidUntil: '2026-11-22' }],
  plan_ended: [{ paidUntil: '2026-11-22' }],
  plan_paid: [{ paidUntil: '2027-11-22', amountCents: 60_000 }],
  plan_enabled: [{ paidUntil: '2027-11-22' }],
  plan_requested: [
    { numbers: 3, contact: 'Ann Heron, +49 151 10000001', note: 'Two shops, from December' },
    { numbers: 1, contact: 'ann@heron.example', note: '' },
  ],
  waiting_cancelled: [
    { count: 12, why: 'ended' },
    { count: 1, why: 'excess' },
    { count: 2, why: null },
  ],
};
