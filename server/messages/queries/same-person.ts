// One person can be asked for by several forms of the phone number. WhatsApp's answers say which of them are the same.
// Before the first answer, two countries' rules do: mobile numbers in Brazil got a ninth digit, those in Mexico lost a 1.
// Not in Argentina, where the form without the 9 can be somebody's landline; nor for a 7 in Brazil, once trunked radio.

const replaced = (text: string, pattern: string, by: string) =>
  `regexp_replace(${text}, '${pattern}', '${by}')`;

const withoutDigit = (form: string) =>
  replaced(replaced(form, '^(55\\d\\d)9(?=[689]\\d{7}@c\\.us$)', '\\1'), '^521(?=[2-9]\\d{9}@c\\.us$)', '52');
const withDigit = (form: string) =>
  replaced(replaced(form, '^(55\\d\\d)(?=[689]\\d{7}@c\\.us$)', '\\19'), '^52(?=[2-9]\\d{9}@c\\.us$)', '521');

/** SQL for the address where WhatsApp knows the recipient of row `r`; the recipient itself without an answer. */
const personOfRow = (r: string): string => `coalesce((select l.address from look_ups l
  where l.number_id = ${r}.number_id and l.digits = split_part(${r}.recipient, '@', 1)), ${r}.recipient)`;

/** SQL for a key that all known forms of the recipient of row `r` share. */
export const samePersonOfRow = (r: string): string => withoutDigit(personOfRow(r));

/** SQL for all known forms of the recipient of row `r`, itself among them. */
export const formsOfRow = (r: string): string => `(
  select ${r}.recipient as form
  union select ${withoutDigit(`${r}.recipient`)}
  union select ${withDigit(`${r}.recipient`)}
  union select ${personOfRow(r)} where ${personOfRow(r)} like '%@c.us'
  union select l.digits || '@c.us' from look_ups l where l.number_id = ${r}.number_id and l.address = ${personOfRow(r)})`;
