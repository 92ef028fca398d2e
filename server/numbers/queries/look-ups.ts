import type { Holding } from '#server/core/lease.ts';
import { LOOK_UP_PAUSE_MS, LOOK_UP_PAUSE_MS_MAX } from '#server/core/new-contacts.ts';
import type { Database } from '#server/platform/db/client.ts';

export interface LookUpMemory {
  /** What WhatsApp answered lately about this person, on this number; null when it was not asked. */
  answer: 'known' | 'absent' | null;
  /** WhatsApp takes no such questions of this number for now. */
  paused: boolean;
}

/**
 * What is remembered of a person: for 7 days that they are on WhatsApp; for 10 minutes that they are not, on a
 * protected number for 3 days. Each number remembers separately, so no account learns whom another has looked up.
 */
export async function readLookUp(
  database: Database,
  params: { numberId: string; digits: string },
): Promise<LookUpMemory> {
  const [row] = await database.sql<LookUpMemory[]>`
    select coalesce(h.look_ups_until > clock_timestamp(), false) as paused,
      (select case when l.found then 'known' else 'absent' end from look_ups l
        where l.number_id = n.id and l.digits = ${params.digits} and l.at > clock_timestamp() - case
          when l.found then interval '7 days' when n.protected then interval '3 days' else interval '10 minutes' end) as answer
    from numbers n left join number_health h on h.number_id = n.id where n.id = ${params.numberId}`;
  return row ?? { answer: null, paused: false };
}

/** WhatsApp has answered: the next pause is the shortest again. */
export async function writeLookUp(
  database: Database,
  params: { numberId: string; digits: string; found: boolean },
): Promise<void> {
  await database.sql`
    with answered as (
      update number_health set look_up_refusals = 0 where number_id = ${params.numberId} and look_up_refusals > 0
    )
    insert into look_ups (number_id, digits, found) values (${params.numberId}, ${params.digits}, ${params.found})
    on conflict (number_id, digits) do update set found = excluded.found, at = clock_timestamp()`;
}

/** WhatsApp refused a question: none is asked for a while, twice as long each time until one is answered. */
export async function noteLookUpRefused(
  database: Database,
  { numberId, workerId, fence }: Holding,
): Promise<void> {
  await database.sql`
    with paused as (
      insert into number_health as h (number_id, look_ups_until, look_up_refusals)
      select l.number_id, clock_timestamp() + ${LOOK_UP_PAUSE_MS} * interval '1 millisecond', 1
      from leases l where l.number_id = ${numberId} and l.worker_id = ${workerId} and l.fence = ${fence}
      on conflict (number_id) do update set look_up_refusals = h.look_up_refusals + 1, look_ups_until = clock_timestamp()
        + least(${LOOK_UP_PAUSE_MS}::float8 * power(2, least(h.look_up_refusals, 30)), ${LOOK_UP_PAUSE_MS_MAX}) * interval '1 millisecond'
      returning number_id
    ) select pg_notify('wirebird_number', number_id) from paused`;
}

/** In how many seconds a number's look-ups go on; the shortest pause where none is noted. */
export async function lookUpsResumeInSeconds(
  database: Database,
  params: { numberId: string },
): Promise<number> {
  const [row] = await database.sql<{ seconds: number }[]>`
    select ceil(extract(epoch from look_ups_until - clock_timestamp()))::int as seconds
    from number_health where number_id = ${params.numberId} and look_ups_until > clock_timestamp()`;
  return Math.max(1, row?.seconds ?? LOOK_UP_PAUSE_MS / 1000);
}
