import { and, eq, isNotNull, sql } from 'drizzle-orm';
import type { CapStatus, NumberLimits } from '#server/core/engine.ts';
import type { Holding } from '#server/core/lease.ts';
import { CONTACT_COUNTS, CONTACT_LIMITS, type NewContactRow } from '#server/messages/queries/new-contacts.ts';
import { samePersonOfRow } from '#server/messages/queries/same-person.ts';
import type { Database, Db, Tx } from '#server/platform/db/client.ts';
import { msUntil } from '#server/platform/db/expressions.ts';
import { messages, numberHealth, numbers } from '#server/schema/index.ts';
import type { NumberRef } from './numbers.ts';

/** The restrictions that a number's page reports, under the fence. */
export async function writeLimits(
  database: Database,
  { numberId, workerId, fence }: Holding,
  { timelock, cap, checkpoint }: NumberLimits,
): Promise<void> {
  const restricted = timelock !== null || cap?.status === 'CAPPED' || checkpoint !== null;
  const at = (ms: number | null | undefined) => (ms == null ? null : new Date(ms).toISOString());
  // Fence, restrictions and notification in one statement.
  await database.db.run(sql`
    with written as (
      insert into number_health as h (number_id, timelock_kind, timelock_until, cap_status, cap_total, cap_used, cap_until,
        checkpoint, restricted_since, read_at)
      select l.number_id, ${timelock?.kind ?? null}, ${at(timelock?.until)}::timestamptz, ${cap?.status ?? null}, ${cap?.total ?? null}::int,
        ${cap?.used ?? null}::int, ${at(cap?.until)}::timestamptz, ${checkpoint},
        case when ${restricted}::boolean then clock_timestamp() end, clock_timestamp()
      from leases l where l.number_id = ${numberId} and l.worker_id = ${workerId} and l.fence = ${fence}
      on conflict (number_id) do update set timelock_kind = excluded.timelock_kind, timelock_until = excluded.timelock_until,
        cap_status = excluded.cap_status, cap_total = excluded.cap_total, cap_used = excluded.cap_used, cap_until = excluded.cap_until,
        checkpoint = excluded.checkpoint, read_at = excluded.read_at,
        restricted_since = case when ${restricted}::boolean or h.pause_until > clock_timestamp()
          then coalesce(h.restricted_since, clock_timestamp()) end
      returning number_id
    ) select pg_notify('wirebird_number', number_id) from written`);
}

/**
 * Turns a number's protection on or off. Off ends its pause after refusals and lets messages that wait for the
 * budget be sent.
 */
export async function setProtected(tx: Tx, params: NumberRef & { on: boolean }): Promise<void> {
  const { accountId, numberId, on } = params;
  const { rowCount } = await tx
    .update(numbers)
    .set({ protected: on })
    .where(and(eq(numbers.id, numberId), eq(numbers.accountId, accountId)));
  if (on || rowCount === 0) return;
  const { timelockKind, capStatus, checkpoint, restrictedSince } = numberHealth;
  await tx
    .update(numberHealth)
    .set({
      pauseUntil: null,
      restrictedSince: sql`case when ${timelockKind} is not null or ${capStatus} = 'CAPPED' or ${checkpoint} is not null
        then ${restrictedSince} end`,
    })
    .where(eq(numberHealth.numberId, numberId));
  await tx
    .update(messages)
    .set({ notBefore: null })
    .where(
      and(eq(messages.numberId, numberId), eq(messages.status, 'queued'), isNotNull(messages.notBefore)),
    );
}

/** What a number's health is calculated from. Times in ms are from now. */
export interface HealthRow extends Omit<NewContactRow, 'askedInMs'> {
  /** As stored. */
  cause: unknown;
  linkedAt: Date | null;
  /** While it is BLOCKED: WhatsApp refuses it until then; null if its end is not known. */
  blockedUntil: Date | null;
  timelockKind: string | null;
  timelockUntil: Date | null;
  capStatus: CapStatus | null;
  capTotal: number | null;
  capUsed: number | null;
  capUntil: Date | null;
  checkpoint: string | null;
  lookUpsPaused: boolean;
  pauseUntil: Date | null;
  readAt: Date | null;
  /** Messages dispatched in the last 7 days by this phone number, and those of them that failed or are unknown. */
  left: number;
  notTaken: number;
  /** Recipients of the last 7 days, and the new ones among them. */
  people: number;
  newPeople: number;
}

/** What a number's health is calculated from; null when the account has no such number. */
export async function findHealth(db: Db, { accountId, numberId }: NumberRef): Promise<HealthRow | null> {
  // A lateral join that counts a week of messages once, beside an array of times: shorter as SQL.
  const [row] = await db.run<HealthRow>(sql`
    select ${CONTACT_LIMITS}, n.cause, n.linked_at as "linkedAt",
      case when n.status = 'BLOCKED' then n.blocked_until end as "blockedUntil",
      h.timelock_kind as "timelockKind", h.timelock_until as "timelockUntil", h.cap_status as "capStatus",
      h.cap_total as "capTotal", h.cap_used as "capUsed", h.cap_until as "capUntil",
      h.checkpoint, coalesce(h.look_ups_until > clock_timestamp(), false) as "lookUpsPaused", h.pause_until as "pauseUntil", h.read_at as "readAt",
      array(select ${msUntil(sql`min(r.asked_at)`)} from recipients r
        where r.number_id = n.id and r.asked_at > clock_timestamp() - interval '24 hours' and ${CONTACT_COUNTS}
        group by ${samePersonOfRow('r')} order by min(r.asked_at) desc) as "takenInMs",
      lately.*
    from numbers n left join number_health h on h.number_id = n.id cross join lateral (
      select count(*)::int as "left",
        count(*) filter (where m.status in ('failed', 'unknown') and m.error_code is distinct from 'recipient_unknown')::int as "notTaken",
        count(distinct coalesce(l.address, m.recipient))::int as people,
        count(distinct coalesce(l.address, m.recipient)) filter (where r.asked_at > clock_timestamp() - interval '7 days')::int as "newPeople"
      from messages m left join recipients r on r.number_id = m.number_id and r.recipient = m.recipient
        left join look_ups l on l.number_id = m.number_id and l.digits = split_part(m.recipient, '@', 1)
      where m.number_id = n.id and m.dispatched_at > greatest(clock_timestamp() - interval '7 days', n.linked_at) and m.status <> 'sending') lately
    where n.id = ${numberId} and n.account_id = ${accountId} and n.removed_at is null`);
  return row ?? null;
}
