/** Why a number is in its state, as its owner reads it. */
export const REASONS = {
  linkingExpired: 'Nobody scanned the code within 5 minutes. Open linking again when the phone is at hand.',
  unlinkedUntold:
    'Unlinked here, but WhatsApp did not confirm it: remove this device on the phone, under Linked devices.',
  linkGone:
    'WhatsApp asks for a new link. Either what the server stored of the link is damaged or lost, as after a full disk or a crash, or the device was removed on the phone. Link it again with the same phone.',
  conflict:
    'WhatsApp Web was opened elsewhere with this number. Choose "Use here" to take it back; the other one stops.',
  stillListed: 'WhatsApp did not confirm it: remove this device on that phone, under Linked devices.',
  passkey:
    'WhatsApp demands a passkey to link this number. A passkey works only in the browser that holds it, so a server cannot give it and this number cannot be linked now. Cancel on the phone. WhatsApp sometimes drops the demand: try again in a few days, or use another number.',
  lost: 'The session dropped.',
  newBuild: 'This number tries a new build of WhatsApp Web before the others do.',
  banOver: 'The time for which WhatsApp refused this number is over, so it connects again.',
  diskFull:
    'The disk of the server is full, so this number is disconnected. Its link stays, and it connects again when there is room.',
  silence: 'WhatsApp did not confirm the last message in time. The connection is being checked.',
  stale:
    'What is stored of its session is older than the last time it ran, as after a restored backup. Link it again; nothing was sent from the old session.',
  otherPhone:
    'Another phone was linked than before, so it was logged out again. Link the same phone, or replace the phone first.',
  notTheReplacement:
    'Another phone was linked than the one named to replace the old one, so it was logged out again. Link the phone that was named.',
  replaced: 'Another phone took the place of the old one.',
  noGroups: 'WhatsApp did not answer with the groups. Try again.',
  phoneInUse:
    'This phone is linked to another number of this installation already, so it was logged out again.',
} as const;

/** Why WhatsApp gave no pairing code, and what to do. */
export const NO_PAIRING_CODE = {
  too_many:
    'WhatsApp gives this phone number no pairing code for now, because too many were asked for. Scan the QR code instead, or try a code again tomorrow.',
  bad_number:
    'WhatsApp does not accept this phone number for a pairing code. Check it: country code first, no leading zeros. Or scan the QR code.',
  page: 'WhatsApp gave no pairing code. Try again, or scan the QR code.',
} as const;
