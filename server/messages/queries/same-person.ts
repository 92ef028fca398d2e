// One person can be asked for by several forms of the phone number. WhatsApp's answers say which of them are the same.

/** SQL for the person whom the recipient of row `r` stands for: the address where WhatsApp knows them. */
export const personOfRow = (r: string): string => `coalesce((select l.address from look_ups l
  where l.number_id = ${r}.number_id and l.digits = split_part(${r}.recipient, '@', 1)), ${r}.recipient)`;

/** SQL for all known forms of the recipient of row `r`, itself among them. */
export const formsOfRow = (r: string): string => `(
  select ${r}.recipient as form
  union select ${personOfRow(r)} where ${personOfRow(r)} like '%@c.us'
  union select l.digits || '@c.us' from look_ups l where l.number_id = ${r}.number_id and l.address = ${personOfRow(r)})`;
