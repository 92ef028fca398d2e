import { z } from 'zod';

/** A number in international format. */
export const PERSON = /^[1-9]\d{6,14}$/;
/** A group id; older groups carry their founder's number and the time. */
export const GROUP = /^\d{5,25}(-\d{5,15})?@g\.us$/;

/** Whom a message is for, as WhatsApp's chat id: `<digits>@c.us` or `<group>@g.us`. */
export type Recipient =
  | { kind: 'person'; digits: string; chatId: string }
  | { kind: 'group'; chatId: string };

/** Digits of an international number, country code first: the form of `to` and `contactPhone`. */
export const PhoneDigits = z.string().regex(PERSON);

/** Parses a caller's `to`; null when it is neither a number in international digits nor a group id. */
export function parseRecipient(to: string): Recipient | null {
  if (PERSON.test(to)) return { kind: 'person', digits: to, chatId: `${to}@c.us` };
  if (GROUP.test(to)) return { kind: 'group', chatId: to };
  return null;
}

/** The recipient behind a stored chat id. */
export function recipientOf(chatId: string): Recipient {
  if (chatId.endsWith('@g.us')) return { kind: 'group', chatId };
  return { kind: 'person', digits: chatId.slice(0, chatId.indexOf('@')), chatId };
}

/**
 * What is wrong with a `to` or phone number and what to write instead, as a sentence about `field`.
 * A number that only carries decoration is shown without it.
 */
export function recipientHint(field: string, value: string, groups: boolean): string {
  const digits = value
    .replace(/@(c\.us|s\.whatsapp\.net)$/, '')
    .replace(/[\s()+./-]/g, '')
    .replace(/^00/, '');
  const want = groups
    ? 'a number in international format (digits only, country code first, no +) or a group id ending in @g.us'
    : 'a number in international format: digits only, country code first, no +';
  if (PERSON.test(digits) && digits !== value) return `${field} must be ${want}. Send ${digits} instead.`;
  if (/^0\d+$/.test(digits))
    return `${field} must be ${want}. It begins with 0: put the country code in front instead.`;
  return `${field} must be ${want}.`;
}
