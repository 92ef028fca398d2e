import { expect, test } from 'vitest';
import { numberStatusText } from '../number-status-text.ts';
import { LOGOUT_REASONS, type LogoutDoer, logoutWords } from './logout-words.ts';

/** Each reason that the real page has, and who caused the logout. */
const DOERS: Record<LogoutDoer, string[]> = {
  here: ['user_initiated'],
  phone: ['primary_identity_key_change'],
  whatsapp: ['account_locked', 'md_opt_out'],
  time: ['invalid_adv_status', 'history_sync_timeout', 'syncd_timeout', 'critical_sync_timeout'],
  storage: [
    'storage_quota_exceeded',
    'cache_storage_open_failed',
    'web_fail_storage_initialization',
    'web_fail_enc_salt',
    'missing_enc_salt',
    'missing_screen_lock_salt',
    'web_fail_add_chat',
    'web_fail_offline_resume',
  ],
  page: [
    'syncd_failure',
    'syncd_error_during_bootstrap',
    'account_sync_error',
    'account_sync_timeout',
    'unknown_companion',
    'client_version_outdated',
    'lid_migration_split_thread_mismatch',
    'lid_migration_no_lid_available',
    'lid_migration_primary_mappings_obsolete',
    'lid_migration_peer_mapping_not_received',
    'lid_migration_state_discrepancy',
    'lid_migration_peer_mapping_malformed',
    'lid_migration_failed_to_parse_mapping',
    'lid_migration_companion_incompatible_killswitch',
    'lid_migration_one_on_one_thread_migration_internal_error',
    'lid_blocklist_pn_when_migrated',
    'lid_blocklist_chat_db_unmigrated',
  ],
  unknown: [],
};

const rows = (Object.entries(DOERS) as [LogoutDoer, string[]][]).flatMap(([doer, reasons]) =>
  reasons.map((reason) => [reason, doer] as const),
);

test.each(rows)('%s is caused by: %s', (reason, doer) => {
  const cause = logoutWords(reason);
  expect(cause.doer).toBe(doer);
  expect(cause.words).toMatch(/^[A-Z].*\.$/);
  expect(cause.words).not.toContain(reason);
});

test('the table contains exactly these reasons', () => {
  expect([...LOGOUT_REASONS].sort()).toEqual(rows.map(([reason]) => reason).sort());
});

test('without a reason no single cause is named, and a new phone is among them; an unknown reason is quoted', () => {
  expect(logoutWords(null)).toMatchObject({
    doer: 'unknown',
    words: expect.stringMatching(/lost, reset or replaced.*or WhatsApp/),
  });
  expect(logoutWords('something_new')).toEqual({
    doer: 'unknown',
    words: 'WhatsApp disconnected Wirebird from your phone (something_new).',
  });
});

test('only a logout by a person counts as a removal on the phone', () => {
  for (const [reason, doer] of rows) {
    if (doer === 'phone' || doer === 'here') continue;
    expect(logoutWords(reason).words).not.toMatch(/removed/);
  }
});

/** How a sentence names who caused the logout. */
const NAMED: Record<LogoutDoer, RegExp> = {
  here: /^Somebody .* in its WhatsApp Web page\./,
  phone: /on the phone/,
  whatsapp: /^WhatsApp (has|ended)/,
  time: /expired|in time|within 3 minutes/,
  storage: /this server/,
  page: /^(WhatsApp|Linking failed inside WhatsApp Web)/,
  unknown: /^WhatsApp disconnected Wirebird from your phone/,
};

test.each([...rows, [null, 'unknown'] as const, ['something_new', 'unknown'] as const])(
  'the page of a number that was logged out for %s says whose doing it was (%s) and what to do',
  (reason, doer) => {
    const { sentence } = numberStatusText(
      {
        ...{
          status: 'LOGGED_OUT',
          cause: null,
          statusReason: logoutWords(reason).words,
          access: 'ok',
          held: false,
        },
        ...{ stranded: false, sessionStop: null, phoneNumber: '491701234567', sendIntervalSeconds: 8 },
        ...{
          waiting: 0,
          toDecide: 0,
          keptBack: 0,
          scheduled: 0,
          closedToNew: false,
          protected: false,
          failing: null,
        },
      },
      { since: '2 h', emptyIn: '24 s', keptIn: '5 h' },
    );
    expect(sentence).toMatch(NAMED[doer]);
    expect(sentence).toContain('Link it again.');
    // What a person has to do first. Without it, a new link would end in the same way.
    if (doer === 'time') expect(sentence).toMatch(/Open WhatsApp|Keep WhatsApp open/);
    if (reason === 'account_locked') expect(sentence).toContain('verify the number');
    if (reason === 'storage_quota_exceeded') expect(sentence).toContain('make room');
  },
);
