import { and, eq, gt, sql } from 'drizzle-orm';
import type { Holding } from '#server/core/lease.ts';
import { LOOK_UP_PAUSE_MS, LOOK_UP_PAUSE_MS_MAX } from '#server/core/new-contacts.ts';
import { type Address, personOf, type Recipient } from '#server/core/recipient.ts';
import { formsOfRow } from '#server/messages/queries/same-person.ts';
import type { Database } from '#server/platform/db/client.ts';
import { now } from '#server/platform/db/expressions.ts';
import { lookUps, numberHealth, numbers } from '#server/schema/index.ts';

export interface LookUpMemory {
  /** WhatsApp's remembered answer about this phone to this number; null when there is none. */
  answer: 'known' | 'absent' | null;
  /** Where WhatsApp knows this person, also from an answer that no longer counts. */
  address: Address;
  /** WhatsApp refuses look-ups of this number for now. */
  paused: boolean;
}

/** For how long WhatsApp's answer about a phone counts, by that answer and the number's protection. */
export const REMEMBERED = sql`case when ${lookUps.found} then interval '7 days'
  when ${numbers.protected} then interval '3 days' else interval '10 minutes' end`;

/**
 * A phone's stored look-up. "On WhatsApp" is kept for 7 days; "not on WhatsApp" for 10 minutes, or 3 days on a
 * protected number. Each number has its own, so no account learns what another has looked up.
 */
export async function readLookUp(
  database: Database,
  params: { numberId: string; digits: string },
): Promise<LookUpMemory> {
  const asked = personOf(params.digits);
  const counts = sql`${lookUps.at} > clock_timestamp() - ${REMEMBERED}`;
  const [row] = await database.db
    .select({
      paused: sql<boolean>`coalesce(${numberHealth.lookUpsUntil} > clock_timestamp(), false)`,
      answer: sql<
        LookUpMemory['answer']
      >`case when not ${counts} then null when ${lookUps.found} then 'known' when not ${lookUps.found} then 'absent' end`,
      address: sql<Address>`coalesce(${lookUps.address}, ${asked})`,
    })
    .from(numbers)
    .leftJoin(numberHealth, eq(numberHealth.numberId, numbers.id))
    .leftJoin(lookUps, and(eq(lookUps.numberId, numbers.id), eq(lookUps.digits, params.digits)))
    .where(eq(numbers.id, params.numberId));
  return row ?? { answer: null, paused: false, address: asked };
}

/**
 * Stores WhatsApp's answer: the person's address, or null if they are not on WhatsApp. The next pause is the shortest
 * again.
 */
export async function writeLookUp(
  database: Database,
  params: { numberId: string; digits: string; address: Address | null },
): Promise<void> {
  const { numberId, digits } = params;
  const found = params.address !== null;
  const address = params.address === personOf(digits) ? null : params.address;
  // Two tables in one round trip.
  await database.db.run(sql`
    with answered as (
      update number_health set look_up_refusals = 0 where number_id = ${numberId} and look_up_refusals > 0
    )
    insert into look_ups (number_id, digits, found, address) values (${numberId}, ${digits}, ${found}, ${address})
    on conflict (number_id, digits) do update set found = excluded.found, address = excluded.address, at = clock_timestamp()`);
  if (address !== null) await shareKnown(database, { numberId, recipient: personOf(digits) });
}

/** A contact that is known by one form of its number is known by all of them. */
async function shareKnown(
  database: Database,
  params: { numberId: string; recipient: Recipient },
): Promise<void> {
  const { numberId, recipient } = params;
  await database.db.run(sql`
    with forms as materialized (
      select f.form from (select ${numberId}::text as number_id, ${recipient}::text as recipient) asked
      cross join lateral ${formsOfRow('asked')} f
    ), known as (
      select max(k.known_at) as at from recipients k join forms on forms.form = k.recipient where k.number_id = ${numberId}
    )
    insert into recipients as r (number_id, recipient, known_at)
    select ${numberId}, forms.form, known.at from forms, known where known.at is not null
    on conflict (number_id, recipient) do update set known_at = excluded.known_at where r.known_at is null`);
}

/** Records that WhatsApp refused a look-up. Look-ups then pause, twice as long each time until one is answered. */
export async function noteLookUpRefused(
  database: Database,
  { numberId, workerId, fence }: Holding,
): Promise<void> {
  // Fence, pause and notification in one statement.
  await database.db.run(sql`
    with paused as (
      insert into number_health as h (number_id, look_ups_until, look_up_refusals)
      select l.number_id, clock_timestamp() + ${LOOK_UP_PAUSE_MS} * interval '1 millisecond', 1
      from leases l where l.number_id = ${numberId} and l.worker_id = ${workerId} and l.fence = ${fence}
      on conflict (number_id) do update set look_up_refusals = h.look_up_refusals + 1, look_ups_until = clock_timestamp()
        + least(${LOOK_UP_PAUSE_MS}::float8 * power(2, least(h.look_up_refusals, 30)), ${LOOK_UP_PAUSE_MS_MAX}) * interval '1 millisecond'
      returning number_id
    ) select pg_notify('wirebird_number', number_id) from paused`);
}

/** In how many seconds a number's look-ups resume; the shortest pause when none is stored. */
export async function lookUpsResumeInSeconds(
  database: Database,
  params: { numberId: string },
): Promise<number> {
  const until = numberHealth.lookUpsUntil;
  const [row] = await database.db
    .select({ seconds: sql<number>`ceil(extract(epoch from ${until} - clock_timestamp()))::int` })
    .from(numberHealth)
    .where(and(eq(numberHealth.numberId, params.numberId), gt(until, now)));
  return Math.max(1, row?.seconds ?? LOOK_UP_PAUSE_MS / 1000);
}
