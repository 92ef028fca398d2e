import { LINK_KEPT_DAYS } from '../access.ts';
import { inUtc } from '../new-contacts.ts';
import { TRIAL } from '../trial.ts';
import type { BrowserFailure, Cause, PlainCause } from './cause.ts';
import { logoutWords } from './logout-words.ts';

const SENTENCES: Record<PlainCause, string> = {
  linking_expired: 'Nobody scanned the code within 5 minutes.',
  passkey_expired: 'The passkey was not confirmed in time.',
  codes_unseen: 'Linking has ended because its code was no longer on any screen. Start it again.',
  not_loaded:
    'A phone was linked, but its data did not arrive in time. Open WhatsApp on the phone, remove this device under Linked devices, and link it again.',
  passkey_asked:
    'WhatsApp asks for the number’s passkey. Confirm it under Link in the dashboard, on a computer.',
  passkey_confirmed: 'The passkey is confirmed. Continue on the phone.',
  passkey_code: 'Compare the code on the phone with the one under Link in the dashboard.',
  passkey_failed: 'WhatsApp did not accept the passkey. Try again under Link in the dashboard.',
  phone_replaced: 'The phone number was changed.',
  unlinked: 'Unlinked in the dashboard.',
  unlink_unconfirmed:
    'Unlinked here, but WhatsApp did not confirm it: remove this device on the phone, under Linked devices.',
  removed: 'Removed from the account.',
  account_deleted: 'The account was deleted.',
  taken_back: 'Cancelled in the dashboard.',
  locked:
    'WhatsApp has locked this number. Open WhatsApp on the phone and verify the number there, then link it again.',
  banned:
    'WhatsApp has banned this number. Open WhatsApp on the phone and ask for a review there. Link it again when WhatsApp has lifted the ban, not before.',
  terms_blocked: 'WhatsApp has blocked this number for breaking its terms of service.',
  business_terms_blocked: 'WhatsApp has blocked this business account for breaking its terms of service.',
  address_blocked: 'WhatsApp refuses connections from this server’s network address.',
  outdated:
    'WhatsApp refuses this version of WhatsApp Web or of the browser as too old. The administrator of this server should update Wirebird; then try again.',
  link_gone:
    'WhatsApp asks for a new link. Either the session stored on the server was damaged, for example by a full disk or a crash, or somebody removed the device on the phone, or WhatsApp was set up on a new phone.',
  session_stale:
    'The stored session is older than its last run, for example because a backup was restored. Link the number again. Nothing was sent from the old session.',
  conflict:
    'WhatsApp Web was opened elsewhere with this number. Choose "Use here" to take it back. The other session then stops.',
  unseen_ends:
    'The connection ended three times within an hour, and WhatsApp Web did not show why. It may be open elsewhere with this number. Choose "Use here" to take it back.',
  connection_lost: 'The connection to WhatsApp was lost.',
  connection_cut: 'The connection to WhatsApp is interrupted. WhatsApp Web reconnects automatically.',
  connection_wiped:
    'WhatsApp ended the connection. WhatsApp Web starts again to see whether the phone is still linked.',
  no_answer: 'WhatsApp does not answer right now. WhatsApp Web reconnects automatically.',
  no_confirmation: 'WhatsApp did not confirm the last message in time. The connection is being checked.',
  not_sending:
    'WhatsApp Web answers, but messages do not leave it. It is restarted. What was certainly not sent is shown as failed, the rest is checked after the restart.',
  service_unavailable:
    'WhatsApp’s service is unavailable right now (503). The number reconnects automatically.',
  newer_page: 'WhatsApp asks for a newer version of its page. The page is loading it.',
  ban_over: 'WhatsApp’s ban of this number has ended, so it reconnects.',
  disk_full:
    'The disk of the server is full, so this number is disconnected. It stays linked and reconnects when there is space.',
  profile_unusable:
    'The server cannot open this number’s session from its disk. It tries again every few seconds. If this lasts, the operator finds the cause in the worker’s log.',
  site_unreachable:
    'The server cannot reach WhatsApp Web. It tries again automatically. If this lasts, the operator checks the server’s internet connection.',
  load_timeout: 'WhatsApp Web did not load in time. It tries again automatically.',
  browser_ended:
    'The browser ended while WhatsApp Web was loading, for example because memory ran out. It tries again automatically.',
  page_not_started:
    'WhatsApp Web could not be started. It tries again automatically. If this lasts, the operator finds the cause in the worker’s log.',
  browser_older:
    'The browser of the server is older than the one that stored this session, so it is not opened. The session is kept. The operator has to update Chromium on that server; the worker’s log says to which version.',
  build_tested: 'This number is testing a new build of WhatsApp Web before the other numbers use it.',
  test_repeats:
    'WhatsApp Web behaved in an unexpected way, so this number starts again to test it once more.',
  test_elsewhere:
    'A new build of WhatsApp Web does not work with this number. Another number tests it before it is given up.',
  plan_ended: `The plan ended more than ${LINK_KEPT_DAYS} days ago, so the session was stopped. Its link is kept: it starts again when the plan is renewed.`,
  trial_idle: `The trial session stopped after ${TRIAL.idleMinutes} minutes without use. Its link is kept: it starts again in a few seconds.`,
  moved:
    'The service was moved to another machine. The link to the phone does not move with it. Link the number again.',
};

const BROWSER_FAILED: Record<BrowserFailure, string> = {
  missing:
    'The browser on the server is missing or cannot be run, so this number is not connected. The operator has to install Chromium or correct CHROMIUM_PATH, and restart Wirebird.',
  openFiles:
    'The server allows too few open files for a browser, so this number is not connected. The operator has to raise the limit (ulimit -n, LimitNOFILE) and restart Wirebird.',
  processes:
    'The server has no memory or process left for a browser, so this number is not connected. The operator has to add memory, or raise the limit of processes.',
  unknown:
    'The browser on the server does not start, so this number is not connected. “cli doctor” shows the operator why.',
};

const PHONE_REFUSED: Record<Extract<Cause, { code: 'phone_refused' }>['why'], string> = {
  other:
    'A different phone number was linked, so it was logged out again. Link the phone number from before, even on a new phone, or choose “Change phone number” first.',
  not_the_replacement:
    'A different phone number was linked than the one you entered, so it was logged out again. Link the phone number you entered.',
  in_use: 'This phone is already linked to another number on this server, so it was logged out again.',
};
const STILL_LISTED =
  ' WhatsApp did not confirm the logout: remove this device on that phone, under Linked devices.';

const NO_PAIRING_CODE: Record<Extract<Cause, { code: 'no_pairing_code' }>['why'], string> = {
  too_many:
    'WhatsApp gives this phone number no pairing code for now because too many were requested. Scan the QR code instead, or try again tomorrow.',
  bad_number:
    'WhatsApp does not accept this phone number for a pairing code. Check it: country code first, no leading zeros. Or scan the QR code.',
  page: 'WhatsApp gave no pairing code. Try again, or scan the QR code.',
};

/** WhatsApp's codes for a ban. */
const BANNED_FOR: Readonly<Record<string, string>> = {
  '101': 'sending too many messages to people who do not have this number among their contacts',
  '102': 'being blocked by too many people',
  '103': 'making too many groups with people who do not have this number among their contacts',
  '104': 'sending the same message to too many people',
  '106': 'sending too many messages to broadcast lists',
};

/** Why a number is in its state, as a sentence for its owner. Times are in `timeZone`. */
export function sayCause(cause: Cause, { timeZone }: { timeZone: string }): string {
  switch (cause.code) {
    case 'logged_out':
      return logoutWords(cause.reason).words;
    case 'ban':
      return sayBan(cause, timeZone);
    case 'login_refused':
      return `WhatsApp’s server refuses the connection right now (${cause.status}). The number reconnects automatically.`;
    case 'browser_failed':
      return BROWSER_FAILED[cause.failure];
    case 'phone_refused':
      return PHONE_REFUSED[cause.why] + (cause.stillListed ? STILL_LISTED : '');
    case 'no_pairing_code':
      return NO_PAIRING_CODE[cause.why];
    case 'pairing_codes_used_up': {
      const wait = cause.minutes === 1 ? '1 minute' : `${cause.minutes} minutes`;
      return `Too many pairing codes were requested for this phone number: WhatsApp accepts about ten in an hour. Scan the QR code instead, or start again in ${wait}.`;
    }
    case 'phone_changes':
      return `You changed the phone number to +${cause.phone}. Scan the code with that phone.`;
    case 'phone_kept':
      return `The phone number stays +${cause.phone}.`;
    case 'build_changed':
      return `${hasChanged(cause)} Sending is off until Wirebird is updated.`;
    case 'build_replaced':
      return `${hasChanged(cause)} Sending continues with build ${cause.good}, which works.`;
    case 'build_left':
      return cause.failed
        ? `Build ${cause.build} of WhatsApp Web does not work with this version of Wirebird, so this number continues with build ${cause.good}.`
        : `Another number tries build ${cause.build} of WhatsApp Web first, so this number continues with build ${cause.good}.`;
    case 'build_not_accepted':
      return `WhatsApp no longer accepts build ${cause.build} of its page, so this number starts on what its site serves now.`;
    case 'build_not_stored': {
      const { build, stored } = cause;
      const instead = stored.length > 0 ? `Stored builds: ${stored.join(', ')}.` : 'No build is stored yet.';
      return `WHATSAPP_BUILD is ${build}, but that build is not stored here. ${instead} The administrator of this server should correct the setting.`;
    }
    case 'stranded':
      return `Its session is stored on the server ${cause.host}, which does not respond. It comes back when that server does; if that server is gone for good, link the number again.`;
    case 'restored':
      return `The service was restored from a backup. ${restoredMessages(cause)} A backup does not contain the link to the phone. Link the number again.`;
    case 'legacy':
      return cause.text;
    default:
      return SENTENCES[cause.code];
  }
}

function sayBan({ why, until, startsAgain }: Extract<Cause, { code: 'ban' }>, timeZone: string): string {
  const ban = `WhatsApp has banned this number for a while for ${BANNED_FOR[why] ?? 'breaking its terms of service'}. Do not try earlier: that can make the ban longer.`;
  if (until === null) return ban;
  const end = new Intl.DateTimeFormat('en-GB', { dateStyle: 'long', timeStyle: 'short', timeZone });
  const then = startsAgain ? 'the number then connects again automatically' : 'choose “Try again” then';
  return `${ban} It ends on ${end.format(new Date(until))} (${timeZone}); ${then}.`;
}

const hasChanged = ({ build, what }: { build: string; what: string }) =>
  `WhatsApp Web has changed (build ${build}): ${what}.`;

function restoredMessages({ madeAt, lost }: Extract<Cause, { code: 'restored' }>): string {
  return lost
    ? `Messages that were accepted after ${inUtc(new Date(madeAt), { seconds: true })} are missing here, but may have arrived: look at the chats on the phone before you send one again.`
    : 'No message of this number is missing.';
}
