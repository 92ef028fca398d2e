/** Who logged a linked device out. */
export type LogoutDoer =
  | 'phone' // a person, on the phone
  | 'here' // a person or the product, in the page
  | 'whatsapp'
  | 'time' // something did not happen in time
  | 'page' // WhatsApp's page failed
  | 'storage' // what the server stores of the session
  | 'unknown'; // WhatsApp does not say

/** Why a number was logged out, in words for its owner, with what to do besides linking again. */
export interface LogoutWords {
  doer: LogoutDoer;
  words: string;
}

const causes = (doer: LogoutDoer, words: string, ...reasons: string[]): [string, LogoutWords][] =>
  reasons.map((reason) => [reason, { doer, words }]);

const UNKNOWN: LogoutWords = {
  doer: 'unknown',
  words:
    'WhatsApp disconnected Wirebird from your phone and did not say why. Possible reasons: the phone was lost, reset or replaced; somebody removed Wirebird there under Linked devices; the phone was not used for about 14 days; or WhatsApp removed it.',
};

/** The page's own reasons for a logout. */
const BY_REASON: ReadonlyMap<string, LogoutWords> = new Map([
  ...causes('here', 'Somebody logged this device out in its WhatsApp Web page.', 'user_initiated'),
  ...causes(
    'phone',
    'WhatsApp was set up again on the phone, for example on a new phone or after a reinstallation. That ends all links.',
    'primary_identity_key_change',
  ),
  ...causes(
    'whatsapp',
    'WhatsApp has locked this account. Open WhatsApp on the phone and verify the number first.',
    'account_locked',
  ),
  ...causes(
    'time',
    'The link has expired. Open WhatsApp on the phone from time to time, at least every 14 days.',
    'invalid_adv_status',
  ),
  ...causes(
    'time',
    'The phone sent no chats within 3 minutes of linking. Keep WhatsApp open on the phone until the number is connected.',
    'history_sync_timeout',
  ),
  ...causes(
    'time',
    'The phone did not send its settings in time. Open WhatsApp on the phone and keep it open until the number is connected.',
    'syncd_timeout',
    'critical_sync_timeout',
  ),
  ...causes(
    'page',
    'WhatsApp Web could not load the settings of the account and ended the link.',
    'syncd_failure',
    'syncd_error_during_bootstrap',
    'account_sync_error',
    'account_sync_timeout',
  ),
  ...causes('page', 'Linking failed inside WhatsApp Web.', 'unknown_companion'),
  ...causes(
    'storage',
    'The disk space for the session on this server was used up. The administrator of this server should make room.',
    'storage_quota_exceeded',
  ),
  ...causes(
    'storage',
    'The session stored on this server is damaged or incomplete, for example after a full disk, a crash or a partial copy.',
    'cache_storage_open_failed',
    'web_fail_storage_initialization',
    'web_fail_enc_salt',
    'missing_enc_salt',
    'missing_screen_lock_salt',
    'web_fail_add_chat',
    'web_fail_offline_resume',
  ),
  ...causes(
    'page',
    'WhatsApp Web found that its data about the account are inconsistent.',
    'client_version_outdated',
  ),
  ...causes(
    'page',
    'WhatsApp moves accounts from phone numbers to hidden ids, and that failed for this link.',
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
  ),
  ...causes('whatsapp', 'WhatsApp ended the link because the account left linked devices.', 'md_opt_out'),
]);

/** The reasons that the table knows. */
export const LOGOUT_REASONS: readonly string[] = [...BY_REASON.keys()];

/**
 * Why a device was logged out, by the page's own reason. Null if it gave none: a removed device looks the same as
 * one that was away for too long.
 */
export function logoutWords(reason: string | null): LogoutWords {
  if (reason === null) return UNKNOWN;
  const known = BY_REASON.get(reason);
  if (known) return known;
  return {
    doer: 'unknown',
    words: `WhatsApp disconnected Wirebird from your phone (${reason.slice(0, 60)}).`,
  };
}
