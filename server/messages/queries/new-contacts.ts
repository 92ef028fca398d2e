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
import type { Database } from '#server/platform/db/client.ts';
import type { Sql } from '#server/platform/db/sql.ts';
import { isScheduled } from './is-scheduled.ts';
import { formsOfRow, samePersonOfRow } from './same-person.ts';

// The statements of this file are SQL: they run on the admission's or on a worker's own transaction, and share
// their conditions with claim and admission as text.

const UNKNOWN_END = `interval '${UNKNOWN_END_MS} milliseconds'`;

/** Until when the number with the health row `h` may not contact new people. Null or past: it may. */
export const CLOSED_UNTIL = `greatest(
  case when h.timelock_kind is not null then coalesce(h.timelock_until, clock_timestamp() + ${UNKNOWN_END}) end,
  case when h.cap_status = 'CAPPED' then coalesce(h.cap_until, clock_timestamp() + ${UNKNOWN_END}) end,
  h.pause_until)`;

/** The same for the number of lease `l`, as an expression. */
export function closedUntil(sql: Sql) {
  return sql`(select ${sql.unsafe(CLOSED_UNTIL)} from number_health h where h.number_id = l.number_id)`;
}

const IS_KNOWN = `(m.recipient not like '%@c.us' or exists (
  select from recipients r where r.number_id = m.number_id and r.recipient = m.recipient and r.known_at is not null))`;

/** Is the recipient of the message `m` a group or a known contact? */
export function isKnown(sql: Sql) {
  return sql.unsafe(IS_KNOWN);
}

/** Until when the message `m` is kept back if its recipient is new; null or past if it is not. */
export const KEPT_UNTIL = `greatest(m.not_before,
  (select ${CLOSED_UNTIL} from number_health h where h.number_id = m.number_id))`;

/** Is the message `m` kept back because its recipient is new? It takes no slot yet. */
export const IS_KEPT_BACK = `(coalesce(${KEPT_UNTIL} > clock_timestamp(), false) and not ${IS_KNOWN} and not ${isScheduled('m')})`;

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

export const leftMs = (until: string) => `(extract(epoch from ${until} - clock_timestamp()) * 1000)::float8`;

/**
 * Does the contact `r` count? Not if all of its messages ended before their turn: it was never asked. If its messages
 * were deleted, it counts.
 */
export const CONTACT_COUNTS = `coalesce((
  select bool_or(m.dispatched_at is not null or m.status in ('queued', 'sending')) from messages m
  where m.number_id = r.number_id and m.recipient = r.recipient), true)`;

/** SQL for a number `n` and its health `h`: the columns of a {@link NewContactRow} that they hold. */
export const CONTACT_LIMITS = `n.protected,
  coalesce(extract(epoch from clock_timestamp() - n.linked_at) / 86400, 0)::float8 as "linkDays",
  case when h.timelock_kind is not null then coalesce(${leftMs('h.timelock_until')}, ${UNKNOWN_END_MS}) end as "timelockMs",
  case when h.cap_status = 'CAPPED' then coalesce(${leftMs('h.cap_until')}, ${UNKNOWN_END_MS}) end as "capMs",
  ${leftMs('h.pause_until')} as "pauseMs"`;

export async function readNewContact(
  sql: Sql,
  params: { numberId: string; recipient: Recipient },
): Promise<NewContactRow> {
  const { numberId, recipient } = params;
  const window = BUDGET_WINDOW_MS;
  const [row] = await sql<NewContactRow[]>`
    select ${sql.unsafe(CONTACT_LIMITS)},
      (select ${sql.unsafe(leftMs('min(r.asked_at)'))} from recipients r
        where r.number_id = n.id and r.recipient in ${sql.unsafe(formsOfRow('wanted'))}
          and r.asked_at > clock_timestamp() - ${window} * interval '1 millisecond' and ${sql.unsafe(CONTACT_COUNTS)}) as "askedInMs",
      array(select ${sql.unsafe(leftMs('min(r.asked_at)'))} from recipients r
        where r.number_id = n.id and r.recipient not in ${sql.unsafe(formsOfRow('wanted'))}
          and r.asked_at > clock_timestamp() - ${window} * interval '1 millisecond' and ${sql.unsafe(CONTACT_COUNTS)}
        group by ${sql.unsafe(samePersonOfRow('r'))} order by min(r.asked_at) desc) as "takenInMs"
    from numbers n left join number_health h on h.number_id = n.id
    cross join lateral (select n.id as number_id, ${recipient} as recipient) wanted where n.id = ${numberId}`;
  if (!row) throw new Error('an admission without its number');
  return row;
}

/** Counts a contact in the budget whose first message is sent after `inMs`. */
export async function noteAsked(
  sql: Sql,
  params: { numberId: string; recipient: Recipient; inMs: number },
): Promise<void> {
  const { numberId, recipient, inMs } = params;
  await sql`
    insert into recipients (number_id, recipient, asked_at)
    values (${numberId}, ${recipient}, clock_timestamp() + ${inMs}::float8 * interval '1 millisecond')
    on conflict (number_id, recipient) do update set asked_at = excluded.asked_at`;
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
  await database.sql`
    with forgotten as (
      delete from look_ups where number_id = ${numberId} and not found and digits = any(${params.people.map(toOf)})
    )
    insert into recipients as r (number_id, recipient, known_at)
    select distinct l.number_id, f.form, clock_timestamp() from leases l
    cross join lateral (select l.number_id, unnest(${params.people}::text[]) as recipient) p
    cross join lateral ${database.sql.unsafe(formsOfRow('p'))} f
    where l.number_id = ${numberId} and l.worker_id = ${workerId} and l.fence = ${fence}
    on conflict (number_id, recipient) do update set known_at = excluded.known_at,
      asked_at = case when r.known_at is not null then r.asked_at end
    where r.known_at is null or r.known_at < clock_timestamp() - interval '1 day'`;
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
  return database.sql.begin(async (sql) => {
    const [number] = await sql<{ protected: boolean }[]>`
      select n.protected from numbers n join leases l on l.number_id = n.id
      where n.id = ${numberId} and l.worker_id = ${workerId} and l.fence = ${fence} for no key update of n`;
    if (!number) return false;
    await sql`
      update recipients set refused_at = clock_timestamp()
      where number_id = ${numberId} and recipient = ${params.recipient} and known_at is null`;
    if (!number.protected) return false;
    const [state] = await sql<{ refused: number; pauses: number }[]>`
      select (select count(*)::int from recipients r where r.number_id = ${numberId} and r.refused_at > greatest(
          clock_timestamp() - ${REFUSALS_WITHIN_MS} * interval '1 millisecond', coalesce(h.paused_at, '-infinity'))) as refused,
        case when h.paused_at > clock_timestamp() - ${PAUSES_REMEMBERED_MS} * interval '1 millisecond' then h.pauses else 0 end as pauses
      from numbers n left join number_health h on h.number_id = n.id where n.id = ${numberId}`;
    if (!state || state.refused < REFUSALS_TO_PAUSE) return false;
    await sql`
      insert into number_health as h (number_id, pause_until, pauses, paused_at, restricted_since)
      values (${numberId}, clock_timestamp() + ${refusalPauseMs(state.pauses)} * interval '1 millisecond',
        ${state.pauses + 1}, clock_timestamp(), clock_timestamp())
      on conflict (number_id) do update set pause_until = excluded.pause_until, pauses = excluded.pauses,
        paused_at = excluded.paused_at, restricted_since = coalesce(h.restricted_since, excluded.restricted_since)`;
    await sql`select pg_notify('wirebird_number', ${numberId})`;
    return true;
  });
}

/** Deletes the contacts and restrictions of the earlier phone, because another phone was linked. */
export async function forgetContacts(
  database: Database,
  { numberId, workerId, fence }: Holding,
): Promise<void> {
  const ours = (sql: Sql) => sql`exists (
    select from leases l where l.number_id = ${numberId} and l.worker_id = ${workerId} and l.fence = ${fence})`;
  const { sql } = database;
  await sql`delete from recipients where number_id = ${numberId} and ${ours(sql)}`;
  await sql`delete from number_health where number_id = ${numberId} and ${ours(sql)}`;
}
