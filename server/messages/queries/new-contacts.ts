import { sql } from 'drizzle-orm';
import type { Holding } from '#server/core/lease.ts';
import {
  BUDGET_WINDOW_MS,
  PAUSES_REMEMBERED_MS,
  REFUSALS_TO_PAUSE,
  REFUSALS_WITHIN_MS,
  refusalPauseMs,
  UNKNOWN_END_MS,
} from '#server/core/new-contacts.ts';
import { type Recipient, toOf } from '#server/core/recipient.ts';
import type { Database, Db } from '#server/platform/db/client.ts';
import { msUntil } from '#server/platform/db/expressions.ts';
import { isScheduled } from './is-scheduled.ts';
import { formsOfRow, samePersonOfRow } from './same-person.ts';

// The statements of this file are SQL: they run on the admission's or on a worker's own transaction, and share
// their conditions with claim and admission.

const UNKNOWN_END = sql`${UNKNOWN_END_MS} * interval '1 millisecond'`.inlineParams();

/** Until when the number with the health row `h` may not contact new people. Null or past: it may. */
export const CLOSED_UNTIL = sql`greatest(
  case when h.timelock_kind is not null then coalesce(h.timelock_until, clock_timestamp() + ${UNKNOWN_END}) end,
  case when h.cap_status = 'CAPPED' then coalesce(h.cap_until, clock_timestamp() + ${UNKNOWN_END}) end,
  h.pause_until)`;

/** The same for the number of the lease `l`. */
export const CLOSED_UNTIL_OF_LEASE = sql`(select ${CLOSED_UNTIL} from number_health h where h.number_id = l.number_id)`;

/** Is the recipient of the message `m` a group or a known contact? */
export const IS_KNOWN = sql<boolean>`(m.recipient not like '%@c.us' or exists (
  select from recipients r where r.number_id = m.number_id and r.recipient = m.recipient and r.known_at is not null))`;

/** Until when the message `m` is kept back if its recipient is new; null or past if it is not. */
export const KEPT_UNTIL = sql`greatest(m.not_before,
  (select ${CLOSED_UNTIL} from number_health h where h.number_id = m.number_id))`;

/** Is the message `m` kept back because its recipient is new? It takes no slot yet. */
export const IS_KEPT_BACK = sql<boolean>`(coalesce(${KEPT_UNTIL} > clock_timestamp(), false) and not ${IS_KNOWN} and not ${isScheduled('m')})`;

/** What decides the admission of a message to a new contact. Read under the number's lock. */
export interface NewContactRow {
  protected: boolean;
  /** Since its phone was linked, in days. */
  linkDays: number;
  timelockMs: number | null;
  capMs: number | null;
  pauseMs: number | null;
  /** When this contact's first message was or will be dispatched, if the contact already counts. */
  askedInMs: number | null;
  /** The same for the other contacts that count, the latest first. */
  takenInMs: number[];
}

/**
 * Does the contact `r` count? Not if all of its messages ended before their turn: it was never asked. If its messages
 * were deleted, it counts.
 */
export const CONTACT_COUNTS = sql<boolean>`coalesce((
  select bool_or(m.dispatched_at is not null or m.status in ('queued', 'sending')) from messages m
  where m.number_id = r.number_id and m.recipient = r.recipient), true)`;

/** Of a number `n` and its health `h`: the columns of a {@link NewContactRow} that they hold. */
export const CONTACT_LIMITS = sql`n.protected,
  coalesce(extract(epoch from clock_timestamp() - n.linked_at) / 86400, 0)::float8 as "linkDays",
  case when h.timelock_kind is not null then coalesce(${msUntil(sql`h.timelock_until`)}, ${UNKNOWN_END_MS}::float8) end as "timelockMs",
  case when h.cap_status = 'CAPPED' then coalesce(${msUntil(sql`h.cap_until`)}, ${UNKNOWN_END_MS}::float8) end as "capMs",
  ${msUntil(sql`h.pause_until`)} as "pauseMs"`;

export async function readNewContact(
  db: Db,
  params: { numberId: string; recipient: Recipient },
): Promise<NewContactRow> {
  const { numberId, recipient } = params;
  const window = BUDGET_WINDOW_MS;
  const [row] = await db.run<NewContactRow>(sql`
    select ${CONTACT_LIMITS},
      (select ${msUntil(sql`min(r.asked_at)`)} from recipients r
        where r.number_id = n.id and r.recipient in ${formsOfRow('wanted')}
          and r.asked_at > clock_timestamp() - ${window} * interval '1 millisecond' and ${CONTACT_COUNTS}) as "askedInMs",
      array(select ${msUntil(sql`min(r.asked_at)`)} from recipients r
        where r.number_id = n.id and r.recipient not in ${formsOfRow('wanted')}
          and r.asked_at > clock_timestamp() - ${window} * interval '1 millisecond' and ${CONTACT_COUNTS}
        group by ${samePersonOfRow('r')} order by min(r.asked_at) desc) as "takenInMs"
    from numbers n left join number_health h on h.number_id = n.id
    cross join lateral (select n.id as number_id, ${recipient} as recipient) wanted where n.id = ${numberId}`);
  if (!row) throw new Error('an admission without its number');
  return row;
}

/** Counts a contact in the budget whose first message is sent after `inMs`. */
export async function noteAsked(
  db: Db,
  params: { numberId: string; recipient: Recipient; inMs: number },
): Promise<void> {
  const { numberId, recipient, inMs } = params;
  await db.run(sql`
    insert into recipients (number_id, recipient, asked_at)
    values (${numberId}, ${recipient}, clock_timestamp() + ${inMs}::float8 * interval '1 millisecond')
    on conflict (number_id, recipient) do update set asked_at = excluded.asked_at`);
}

/**
 * Records that these contacts have written to the number, and forgets look-ups that did not find them. Who wrote before a
 * message to them was accepted is not new, also if their hidden ID showed that only now.
 */
export async function writeHeard(
  database: Database,
  { numberId, workerId, fence }: Holding,
  params: { people: Recipient[] },
): Promise<void> {
  await database.db.run(sql`
    with forgotten as (
      delete from look_ups where number_id = ${numberId} and not found and digits = any(${sql.param(params.people.map(toOf))})
    )
    insert into recipients as r (number_id, recipient, known_at)
    select distinct l.number_id, f.form, clock_timestamp() from leases l
    cross join lateral (select l.number_id, unnest(${sql.param(params.people)}::text[]) as recipient) p
    cross join lateral ${formsOfRow('p')} f
    where l.number_id = ${numberId} and l.worker_id = ${workerId} and l.fence = ${fence}
    on conflict (number_id, recipient) do update set known_at = excluded.known_at,
      asked_at = case when r.known_at is not null then r.asked_at end
    where r.known_at is null or r.known_at < clock_timestamp() - interval '1 day'`);
}

/**
 * Records that WhatsApp refused a message to a new contact. Several such refusals begin a pause if the number is
 * protected. Returns whether one began.
 */
export async function noteRefusal(
  database: Database,
  { numberId, workerId, fence }: Holding,
  params: { recipient: Recipient },
): Promise<boolean> {
  return database.db.transaction(async (tx) => {
    const [number] = await tx.run<{ protected: boolean }>(sql`
      select n.protected from numbers n join leases l on l.number_id = n.id
      where n.id = ${numberId} and l.worker_id = ${workerId} and l.fence = ${fence} for no key update of n`);
    if (!number) return false;
    await tx.run(sql`
      update recipients set refused_at = clock_timestamp()
      where number_id = ${numberId} and recipient = ${params.recipient} and known_at is null`);
    if (!number.protected) return false;
    const [state] = await tx.run<{ refused: number; pauses: number }>(sql`
      select (select count(*)::int from recipients r where r.number_id = ${numberId} and r.refused_at > greatest(
          clock_timestamp() - ${REFUSALS_WITHIN_MS} * interval '1 millisecond', coalesce(h.paused_at, '-infinity'))) as refused,
        case when h.paused_at > clock_timestamp() - ${PAUSES_REMEMBERED_MS} * interval '1 millisecond' then h.pauses else 0 end as pauses
      from numbers n left join number_health h on h.number_id = n.id where n.id = ${numberId}`);
    if (!state || state.refused < REFUSALS_TO_PAUSE) return false;
    await tx.run(sql`
      insert into number_health as h (number_id, pause_until, pauses, paused_at, restricted_since)
      values (${numberId}, clock_timestamp() + ${refusalPauseMs(state.pauses)} * interval '1 millisecond',
        ${state.pauses + 1}, clock_timestamp(), clock_timestamp())
      on conflict (number_id) do update set pause_until = excluded.pause_until, pauses = excluded.pauses,
        paused_at = excluded.paused_at, restricted_since = coalesce(h.restricted_since, excluded.restricted_since)`);
    await tx.run(sql`select pg_notify('wirebird_number', ${numberId})`);
    return true;
  });
}

/** Deletes the contacts and restrictions of the earlier phone, because another phone was linked. */
export async function forgetContacts(
  database: Database,
  { numberId, workerId, fence }: Holding,
): Promise<void> {
  const ours = sql`exists (
    select from leases l where l.number_id = ${numberId} and l.worker_id = ${workerId} and l.fence = ${fence})`;
  const { db } = database;
  await db.run(sql`delete from recipients where number_id = ${numberId} and ${ours}`);
  await db.run(sql`delete from number_health where number_id = ${numberId} and ${ours}`);
}
