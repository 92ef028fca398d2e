import { sql } from 'drizzle-orm';
import { type FoundAlert, OF_NUMBER, REPORTED_HOURS } from '../queries/found.ts';
import { type AlertDescriptor, PAGES } from './kind.ts';

/** WhatsApp restricts a number, or it pauses after refusals: one alert for each restriction. */
export const health: AlertDescriptor = {
  find: (db) =>
    db.run<FoundAlert>(sql`
    with found as (
      select n.id, n.account_id, h.*, 'number:' || n.id || ':health:' || (extract(epoch from h.restricted_since) * 1000)::bigint as key
      from number_health h join numbers n on n.id = h.number_id join accounts a on a.id = n.account_id
      where n.removed_at is null and n.suspended_at is null and a.suspended_at is null
        and h.restricted_since > clock_timestamp() - ${REPORTED_HOURS} * interval '1 hour'
    )
    select key as "eventKey", account_id as "accountId", id as "numberId", 'health' as kind, null as incident, restricted_since as "happenedAt",
      jsonb_build_object('timelockKind', timelock_kind, 'checkpoint', checkpoint,
        'limit', case when timelock_kind is not null then 'timelock' when cap_status = 'CAPPED' then 'cap' when checkpoint is null then 'pause' end,
        'until', case when timelock_kind is not null then timelock_until when cap_status = 'CAPPED' then cap_until
          when checkpoint is null then pause_until end) as facts
    from found where not exists (select from alerts a where a.event_key = found.key)`),
  lasts: () => sql`${OF_NUMBER} and exists (
      select from number_health h where h.number_id = a.number_id and h.restricted_since = a.happened_at
        and (h.checkpoint is not null or h.pause_until > clock_timestamp()
          or h.timelock_kind is not null and coalesce(h.timelock_until, 'infinity') > clock_timestamp()
          or h.cap_status = 'CAPPED' and coalesce(h.cap_until, 'infinity') > clock_timestamp()))`,
  topic: 'numbers',
  sign: { tone: 'warn', shape: 'warning' },
  page: PAGES.number,
};
