import { sql } from 'drizzle-orm';
import type { Count } from '../queries/counted.ts';
import { STOPPED_NUMBER } from './families/stopped-number.ts';
import type { AlertDescriptor } from './kind.ts';

/** How many messages became unknown by a restore since its last connection. */
const unknownByRestore: Count = (alias) => {
  const a = sql.identifier(alias);
  return sql`
  select count(*)::int as unknown from messages m
  where m.number_id = ${a}.number_id and m.dismissed_at is null and m.status = 'unknown' and exists (
    select from message_events e where e.message_id = m.id and e.detail = 'restored' and e.at > coalesce((
      select c.at from number_events c where c.number_id = ${a}.number_id and c.id = ${a}.incident), '-infinity'))`;
};

export const loggedOut: AlertDescriptor = {
  ...STOPPED_NUMBER,
  state: 'LOGGED_OUT',
  sign: 'LOGGED_OUT',
  customer: 'acts',
  mailCounts: [...STOPPED_NUMBER.mailCounts, unknownByRestore],
};
