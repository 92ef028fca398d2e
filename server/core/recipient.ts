/** A number in international digits, country code first: the form of `to` and `contactPhone`. */
export const PERSON = /^[1-9]\d{6,14}$/;
/** A group id; older groups carry their founder's number and the time. */
export const GROUP = /^\d{5,25}(-\d{5,15})?@g\.us$/;

declare const parsed: unique symbol;
/**
 * Who a message goes to, as WhatsApp names it: `<digits>@c.us` or `<group>@g.us`. Parsed from a request or read
 * from a row.
 */
export type Recipient = string & { readonly [parsed]: true };

/**
 * Where WhatsApp expects messages to a recipient. For a person it can be another form of the number, as without the
 * ninth digit in Brazil, or a hidden ID (LID). A message to the form that was asked for may be accepted and never arrive.
 */
export type Address = Recipient | `${string}@lid`;

/** Parses a caller's `to`; null when it is neither a number in international digits nor a group id. */
export function parseRecipient(to: string): Recipient | null {
  if (PERSON.test(to)) return personOf(to);
  return GROUP.test(to) ? (to as Recipient) : null;
}

/** The person with this number, in international digits. */
export function personOf(digits: string): Recipient {
  return `${digits}@c.us` as Recipient;
}

export function isGroup(recipient: Recipient): boolean {
  return recipient.endsWith('@g.us');
}

/** The `to` of a request to this recipient: a person's digits, or a group's id. */
export function toOf(recipient: Recipient): string {
  return isGroup(recipient) ? recipient : recipient.slice(0, recipient.indexOf('@'));
}

/** A number as a person types it, such as `+49 1522 8817386`, without its separators. */
export const typedPhone = (text: string): string => text.replace(/[\s()+./-]/g, '').replace(/^00/, '');

/**
 * What is wrong with a `to` or phone number and what to write instead, as a sentence about `field`. A number with
 * separators is shown without them.
 */
export function recipientHint(field: string, value: string, groups: boolean): string {
  const digits = typedPhone(value.replace(/@(c\.us|s\.whatsapp\.net)$/, ''));
  const want = groups
    ? 'a number in international format (digits only, country code first, no +) or a group id ending in @g.us'
    : 'a number in international format: digits only, country code first, no +';
  if (PERSON.test(digits) && digits !== value) return `${field} must be ${want}. Send ${digits} instead.`;
  if (/^[1-9]\d*$/.test(digits) && !PERSON.test(digits))
    return `${field} must be ${want}. It has ${digits.length} ${digits.length === 1 ? 'digit' : 'digits'}; a number has 7 to 15.`;
  if (/^0\d+$/.test(digits))
    return `${field} must be ${want}. It begins with 0: put the country code in front instead.`;
  return `${field} must be ${want}.`;
}
