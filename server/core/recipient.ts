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

const SUFFIX = /@(c\.us|s\.whatsapp\.net)$/;
const INVISIBLE = /\p{Cf}/u;
const AROUND = /^[\s\p{Cf}]+|[\s\p{Cf}]+$/gu;

/**
 * The digits of a number as a person types it, such as `+49 1522 8817386`; null unless it is certain which number is meant.
 * Without `+` or `00`, separated digits may lack the country code. A 0 in parentheses is not dialled from abroad, and a short
 * end after a point or a slash is a decimal or an extension.
 */
export function typedPhone(text: string): string | null {
  const bare = text.replace(AROUND, '').replace(SUFFIX, '');
  if (PERSON.test(bare)) return bare;
  const national = /^(?:\+|00)\s*([\d\s()./\p{Pd}]+)$/u.exec(bare)?.[1];
  if (national === undefined) return null;
  const groups = national.split(/\D+/).filter((group) => group !== '');
  const digits = groups.join('');
  const isUnclear = /\(\s*0/.test(national) || groups[1]?.startsWith('0') || /[./]\s*\d{1,3}$/.test(national);
  return !isUnclear && PERSON.test(digits) ? digits : null;
}

/**
 * What is wrong with a `to` or phone number and what to write instead, as a sentence about `field`. A number with
 * separators is shown without them, if it is certain which one is meant.
 */
export function recipientHint(field: string, value: string, groups: boolean): string {
  const want = groups
    ? 'a number in international format (digits only, country code first, no +) or a group id ending in @g.us'
    : 'a number in international format: digits only, country code first, no +';
  const digits = typedPhone(value);
  const advice = [oddCharacter(value), digits === null ? countHint(value) : `Send ${digits} instead.`];
  return [`${field} must be ${want}.`, ...advice].filter((sentence) => sentence !== '').join(' ');
}

/** The first character that a person may not see, or take for another one. */
function oddCharacter(value: string): string {
  const odd = /\p{Cf}|(?![-\d])[\p{Nd}\p{Pd}]|(?! )\p{Zs}/u.exec(value)?.[0];
  if (odd === undefined) return '';
  if (/\p{Nd}/u.test(odd)) return 'It has digits of another script: write 0 to 9.';
  const code = `U+${(odd.codePointAt(0) ?? 0).toString(16).toUpperCase().padStart(4, '0')}`;
  return INVISIBLE.test(odd)
    ? `It has an invisible character (${code}).`
    : `It has the character “${odd}” (${code}).`;
}

function countHint(value: string): string {
  const digits = value
    .replace(SUFFIX, '')
    .replace(/[\s()+./-]/g, '')
    .replace(/^00/, '');
  if (/^\d+[.,]\d+(E\+?\d+)?$/i.test(value.trim()))
    return 'A spreadsheet has made a decimal of it: send it as text.';
  if (/^[1-9]\d*$/.test(digits) && !PERSON.test(digits))
    return `It has ${digits.length} ${digits.length === 1 ? 'digit' : 'digits'}; a number has 7 to 15.`;
  return /^0\d+$/.test(digits) ? 'It begins with 0: put the country code in front instead.' : '';
}
