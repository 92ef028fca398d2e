import { parsePhoneNumberFromString } from 'libphonenumber-js';

/** A phone number for reading: +49 176 0406 9012. One that no numbering plan knows is spaced by threes. */
export function phoneText(digits: string): string {
  const parsed = parsePhoneNumberFromString(`+${digits}`);
  const text = parsed?.isPossible()
    ? parsed.formatInternational()
    : `+${digits.replace(/(\d{3})(?=\d)/g, '$1 ')}`;
  // Never broken across lines.
  return text.replaceAll(' ', '\u00a0');
}

/** Whom a message is for, for reading: a phone number, or a group by the ends of its id. */
export function recipientText(chatId: string): string {
  const id = chatId.slice(0, chatId.indexOf('@'));
  if (!chatId.endsWith('@g.us')) return phoneText(id);
  return `Group ${id.length > 12 ? `${id.slice(0, 4)}…${id.slice(-4)}` : id}`;
}
