/**
 * The digits of a number as a person types it, such as `+49 1522 8817386`. Anything else, of which it is not certain whose
 * number it is, stays as it is: Wirebird refuses it and says what to send. The rule is Wirebird's own.
 */
export function phoneOf(text: string): string {
  const bare = text.replace(/^[\s\p{Cf}]+|[\s\p{Cf}]+$/gu, '').replace(/@(c\.us|s\.whatsapp\.net)$/, '');
  if (PERSON.test(bare)) return bare;
  const national = /^(?:\+|00)\s*([\d\s()./\p{Pd}]+)$/u.exec(bare)?.[1];
  if (national === undefined) return text;
  const groups = national.split(/\D+/).filter((group) => group !== '');
  const digits = groups.join('');
  const isUnclear = /\(\s*0/.test(national) || groups[1]?.startsWith('0') || /[./]\s*\d{1,3}$/.test(national);
  return !isUnclear && PERSON.test(digits) ? digits : text;
}

const PERSON = /^[1-9]\d{6,14}$/;
