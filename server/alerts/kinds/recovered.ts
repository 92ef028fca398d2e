import { sql } from 'drizzle-orm';
import type { Database } from '#server/platform/db/client.ts';
import type { FoundAlert } from '../queries/found.ts';
import { refusedSinceConnection } from '../queries/refused-requests.ts';
import { statesOf } from './families/number-states.ts';
import { findStopped } from './families/stopped-number.ts';
import { type AlertDescriptor, PAGES } from './kind.ts';

/** After a state of `STOPPED_NUMBER`. */
export const recovered: AlertDescriptor = {
  find: findStopped,
  /** Adds what happens to new messages, whether its phone number has changed, and what became of those that waited. */
  async complete(database, alerts) {
    const stateOf = await statesOf(database, alerts);
    const replacements = await findReplacements(database, alerts);
    const replacementOf = new Map(replacements.map((one) => [`${one.numberId} ${one.incident}`, one]));
    return alerts.map((alert) => {
      const now = stateOf(alert);
      if (!now) return alert;
      const replaced = replacementOf.get(`${alert.numberId} ${alert.incident}`);
      if (!replaced) return { ...alert, facts: { now, phoneEnd: null } };
      const { phone, cancelled } = replaced;
      return { ...alert, facts: { now, phoneEnd: phone.slice(-4) }, cancelled };
    });
  },
  topic: 'numbers',
  sign: 'CONNECTED',
  page: PAGES.number,
  mailCounts: [refusedSinceConnection, unknownInOutage],
};

/**
 * Which of these numbers have another phone number (digits) than at their connection `incident`, and how many
 * messages were cancelled for it.
 */
async function findReplacements({ db }: Database, alerts: readonly FoundAlert[]) {
  const incidents = alerts.map(({ numberId, incident }) => ({ numberId, incident }));
  return db.run<{ numberId: string; incident: number | null; phone: string; cancelled: number }>(sql`
    select n.id as "numberId", g.incident::float8 as incident, n.phone_number as phone, sum((l.detail ->> 'cancelled')::int)::int as cancelled
    from json_to_recordset(${JSON.stringify(incidents)}::json) as g ("numberId" text, incident bigint)
      join numbers n on n.id = g."numberId"
      join audit_log l on l.account_id = n.account_id and l.target = n.id and l.action = 'number.replace_phone'
    where l.created_at > coalesce((
      select e.at from number_events e where e.number_id = n.id and e.id = g.incident), '-infinity')
    group by n.id, g.incident having (array_agg(l.detail ->> 'to' order by l.id desc))[1] = n.phone_number`);
}

/** How many messages became unknown during the outage. */
function unknownInOutage(alias: string) {
  const a = sql.identifier(alias);
  return sql`
    select count(*)::int as unknown from messages m
    where m.number_id = ${a}.number_id and m.dismissed_at is null and m.status = 'unknown'
      -- A message can lose its confirmation shortly before the number loses its state.
      and m.settled_at > (select min(e.at) from number_events e where e.number_id = ${a}.number_id and e.id > ${a}.incident) - interval '1 minute'`;
}
