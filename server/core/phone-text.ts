import { parsePhoneNumberFromString } from 'libphonenumber-js';
import { isGroup, parseRecipient, type Recipient, toOf } from './recipient.ts';

/** A phone number for reading: +49 176 0406 9012. An unknown one is grouped by threes. */
export function phoneText(digits: string): string {
  const parsed = parsePhoneNumberFromString(`+${digits}`);
  const text = parsed?.isPossible()
    ? parsed.formatInternational()
    : `+${digits.replace(/(\d{3})(?=\d)/g, '$1 ')}`;
  // Never broken across lines.
  return text.replaceAll(' ', '\u00a0');
}

/** A recipient for reading: a phone number, or a group by the ends of its id. */
export function recipientText(recipient: Recipient): string {
  if (!isGroup(recipient)) return phoneText(toOf(recipient));
  const id = recipient.slice(0, recipient.indexOf('@'));
  return `Group ${id.length > 12 ? `${id.slice(0, 4)}…${id.slice(-4)}` : id}`;
}

/** Longer than any recipient that is valid. */
const SENT_TO_CHARS_MAX = 40;

/** A recipient as a request gave it, for reading. One that is not valid is shown as it is, cut where it is long. */
export function sentToText(to: string): string {
  const recipient = parseRecipient(to);
  return recipient === null ? to.slice(0, SENT_TO_CHARS_MAX) : recipientText(recipient);
}

/** The text with each phone number in it masked. The parts of a build's version stay. */
export const withoutPhones = (text: string): string =>
  text.replace(/(?<![\d.])\+?\d(?:[ \u00a0]?\d){6,}/g, '…');
