import { type SQL, sql } from 'drizzle-orm';

// One person can be asked for by several forms of the phone number. WhatsApp's answers say which of them are the same.
// Before the first answer, two countries' rules do: mobile numbers in Brazil got a ninth digit, those in Mexico lost a 1.
// Not in Argentina, where the form without the 9 can be somebody's landline; nor for a 7 in Brazil, once trunked radio.

const replaced = (text: SQL, pattern: string, by: string) =>
  sql`regexp_replace(${text}, ${pattern}, ${by})`.inlineParams();

const withoutDigit = (form: SQL) =>
  replaced(replaced(form, '^(55\\d\\d)9(?=[689]\\d{7}@c\\.us$)', '\\1'), '^521(?=[2-9]\\d{9}@c\\.us$)', '52');
const withDigit = (form: SQL) =>
  replaced(replaced(form, '^(55\\d\\d)(?=[689]\\d{7}@c\\.us$)', '\\19'), '^52(?=[2-9]\\d{9}@c\\.us$)', '521');

/** The address where WhatsApp knows the recipient of the row of this alias; the recipient itself without an answer. */
function personOfRow(alias: string) {
  const r = sql.identifier(alias);
  return sql<string>`coalesce((select l.address from look_ups l
    where l.number_id = ${r}.number_id and l.digits = split_part(${r}.recipient, '@', 1)), ${r}.recipient)`;
}

/** A key that all known forms of the recipient of the row of this alias share. */
export const samePersonOfRow = (alias: string) => withoutDigit(personOfRow(alias));

/** All known forms of the recipient of the row of this alias, itself among them. */
export function formsOfRow(alias: string) {
  const r = sql.identifier(alias);
  const [recipient, person] = [sql`${r}.recipient`, personOfRow(alias)];
  return sql`(
  select ${recipient} as form
  union select ${withoutDigit(recipient)}
  union select ${withDigit(recipient)}
  union select ${person} where ${person} like '%@c.us'
  union select l.digits || '@c.us' from look_ups l where l.number_id = ${r}.number_id and l.address = ${person})`;
}
