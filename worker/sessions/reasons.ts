import type { PasskeyStep } from '#server/core/passkey.ts';
import { BROWSER_FAILED } from '#server/core/start-failed.ts';
import { BrowserStartError, hasFewOpenFiles } from '../engine/browser-start-error.ts';
import { OlderBrowserError } from '../engine/last-browser.ts';
import { isDiskFull, isFileError } from '../engine/profile.ts';
import { TimeoutError } from '../engine/timeout.ts';

/** Why a number is in its state, for its owner. */
export const REASONS = {
  linkingExpired: 'Nobody scanned the code within 5 minutes.',
  passkeyExpired: 'The passkey was not confirmed in time.',
  codesUnseen: 'Linking has ended because its code was no longer on any screen. Start it again.',
  notLoaded:
    'A phone was linked, but its data did not arrive in time. Open WhatsApp on the phone, remove this device under Linked devices, and link it again.',
  unlinkNotConfirmed:
    'Unlinked here, but WhatsApp did not confirm it: remove this device on the phone, under Linked devices.',
  linkGone:
    'WhatsApp asks for a new link. Either the session stored on the server was damaged, for example by a full disk or a crash, or somebody removed the device on the phone, or WhatsApp was set up on a new phone.',
  conflict:
    'WhatsApp Web was opened elsewhere with this number. Choose "Use here" to take it back. The other session then stops.',
  unseenEnds:
    'The connection ended three times within an hour, and WhatsApp Web did not show why. It may be open elsewhere with this number. Choose "Use here" to take it back.',
  stillListed: 'WhatsApp did not confirm the logout: remove this device on that phone, under Linked devices.',
  lost: 'The connection to WhatsApp was lost.',
  newBuild: 'This number is testing a new build of WhatsApp Web before the other numbers use it.',
  testRepeats: 'WhatsApp Web behaved in an unexpected way, so this number starts again to test it once more.',
  testElsewhere:
    'A new build of WhatsApp Web does not work with this number. Another number tests it before it is given up.',
  banOver: 'WhatsApp’s ban of this number has ended, so it reconnects.',
  diskFull:
    'The disk of the server is full, so this number is disconnected. It stays linked and reconnects when there is space.',
  notStarted:
    'The server cannot open this number’s session from its disk. It tries again every few seconds. If this lasts, the operator finds the cause in the worker’s log.',
  unreachable:
    'The server cannot reach WhatsApp Web. It tries again automatically. If this lasts, the operator checks the server’s internet connection.',
  loadsTooLong: 'WhatsApp Web did not load in time. It tries again automatically.',
  endedAtStart:
    'The browser ended while WhatsApp Web was loading, for example because memory ran out. It tries again automatically.',
  pageNotStarted:
    'WhatsApp Web could not be started. It tries again automatically. If this lasts, the operator finds the cause in the worker’s log.',
  olderBrowser:
    'The browser of the server is older than the one that stored this session, so it is not opened. The session is kept. The operator has to update Chromium on that server; the worker’s log says to which version.',
  silence: 'WhatsApp did not confirm the last message in time. The connection is being checked.',
  stale:
    'The stored session is older than its last run, for example because a backup was restored. Link the number again. Nothing was sent from the old session.',
  otherPhone:
    'A different phone number was linked, so it was logged out again. Link the phone number from before, even on a new phone, or choose “Change phone number” first.',
  notTheReplacement:
    'A different phone number was linked than the one you entered, so it was logged out again. Link the phone number you entered.',
  replaced: 'The phone number was changed.',
  noGroups: 'WhatsApp did not return the groups. Try again.',
  phoneInUse: 'This phone is already linked to another number on this server, so it was logged out again.',
} as const;

/** Why a session did not start. */
export function startReason(error: unknown): string {
  if (error instanceof OlderBrowserError) return REASONS.olderBrowser;
  if (isDiskFull(error)) return REASONS.diskFull;
  if (error instanceof BrowserStartError) return BROWSER_FAILED[error.failure];
  if (hasFewOpenFiles()) return BROWSER_FAILED.openFiles;
  if (isFileError(error)) return REASONS.notStarted;
  if (error instanceof TimeoutError) return REASONS.loadsTooLong;
  const message = error instanceof Error ? error.message : String(error);
  if (message.includes('net::ERR_')) return REASONS.unreachable;
  if (/browser has ended|page has crashed|(Target|Session|Connection) closed/.test(message))
    return REASONS.endedAtStart;
  return REASONS.pageNotStarted;
}

// Steps that follow at once have one sentence, so that the number's history has one entry.
const ASKS_PASSKEY =
  'WhatsApp asks for the number’s passkey. Confirm it under Link in the dashboard, on a computer.';
const PASSKEY_CONFIRMED = 'The passkey is confirmed. Continue on the phone.';

/** What linking waits for while WhatsApp asks for a passkey. */
export const PASSKEY_STEPS: Record<PasskeyStep['at'], string> = {
  begun: ASKS_PASSKEY,
  sign: ASKS_PASSKEY,
  phone: PASSKEY_CONFIRMED,
  code: 'Compare the code on the phone with the one under Link in the dashboard.',
  finish: PASSKEY_CONFIRMED,
  failed: 'WhatsApp did not accept the passkey. Try again under Link in the dashboard.',
};

/** Why WhatsApp gave no pairing code, and what to do. */
export const NO_PAIRING_CODE = {
  too_many:
    'WhatsApp gives this phone number no pairing code for now because too many were requested. Scan the QR code instead, or try again tomorrow.',
  bad_number:
    'WhatsApp does not accept this phone number for a pairing code. Check it: country code first, no leading zeros. Or scan the QR code.',
  page: 'WhatsApp gave no pairing code. Try again, or scan the QR code.',
} as const;

export function pairingCodesUsedUp(waitMs: number): string {
  const minutes = Math.ceil(waitMs / 60_000);
  const wait = minutes === 1 ? '1 minute' : `${minutes} minutes`;
  return `Too many pairing codes were requested for this phone number: WhatsApp accepts about ten in an hour. Scan the QR code instead, or start again in ${wait}.`;
}
