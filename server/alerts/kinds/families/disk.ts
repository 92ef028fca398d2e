import { sql } from 'drizzle-orm';
import { WORKER_SILENCE_MS } from '#server/operations/queries/operator.ts';
import type { Db } from '#server/platform/db/client.ts';
import { type FoundAlert, OPERATORS_ACCOUNT } from '../../queries/found.ts';
import type { AlertDescriptor } from '../kind.ts';

/**
 * Workers whose disk has too little room, and those that have room again. The alert belongs to the oldest account
 * of an administrator: every administrator gets its mail, and customers see the effect on their numbers.
 */
const findDisks = (db: Db) =>
  db.run<FoundAlert>(sql`
    with operator as (${OPERATORS_ACCOUNT}), short as (
      select p.id, p.volume_id, d.kind, d.at, p.disk_note from processes p cross join lateral (values
        ('disk_low', case when p.sessions_stopped_at is null then p.media_refused_at end),
        ('disk_full', p.sessions_stopped_at)) as d (kind, at)
      where p.kind = 'worker' and p.seen_at > clock_timestamp() - ${WORKER_SILENCE_MS} * interval '1 millisecond'
        and d.at is not null
    ), latest as (
      select distinct on (split_part(event_key, ':', 2)) split_part(event_key, ':', 2) as volume_id, kind, id
      from alerts where event_key like 'disk:%' order by split_part(event_key, ':', 2), id desc
    ), found as (
      select s.volume_id, s.kind, jsonb_build_object('note', s.disk_note) as facts, s.at from short s
        left join latest l on l.volume_id = s.volume_id
      where l.kind is distinct from s.kind
      union all
      select p.volume_id, 'disk_recovered', null, clock_timestamp() from processes p join latest l on l.volume_id = p.volume_id
      where p.kind = 'worker' and p.seen_at > clock_timestamp() - ${WORKER_SILENCE_MS} * interval '1 millisecond'
        and p.media_refused_at is null and p.sessions_stopped_at is null and l.kind <> 'disk_recovered'
    )
    select 'disk:' || f.volume_id || ':' || f.kind || ':after ' || coalesce(l.id, 'nothing') as "eventKey",
      operator.id as "accountId", null as "numberId", f.kind, null as incident, f.facts, f.at as "happenedAt"
    from found f cross join operator left join latest l on l.volume_id = f.volume_id`);

/** Until the next level of the same disk. */
const isLevel = () => sql`not exists (
    select from alerts k where k.event_key like 'disk:%' and k.id > a.id
      and split_part(k.event_key, ':', 2) = split_part(a.event_key, ':', 2))`;

export const DISK = {
  find: findDisks,
  topic: 'server',
  page: { label: 'Open Workers', path: '/admin/workers' },
} as const satisfies Partial<AlertDescriptor>;
export const SHORT_DISK = { ...DISK, lasts: isLevel };
