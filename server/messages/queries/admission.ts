import { sql } from 'drizzle-orm';
import type { MessageContent, MessageType } from '#server/core/message.ts';
import type { MessageStatus } from '#server/core/message-state.ts';
import type { Network, NumberStatus } from '#server/core/number-state.ts';
import type { Lane } from '#server/core/pacing/lanes.ts';
import type { Recipient } from '#server/core/recipient.ts';
import { blockedLeftMs } from '#server/numbers/queries/number-status.ts';
import { failingBuild } from '#server/operations/queries/build-kinds.ts';
import { NUMBERS_BEFORE } from '#server/plans/queries/numbers-before.ts';
import { oldestWorkingPlan } from '#server/plans/queries/today.ts';
import type { Database, Db } from '#server/platform/db/client.ts';
import { isSync, storedLane } from '#server/schema/lane.ts';
import { isScheduled } from './is-scheduled.ts';
import { IS_KEPT_BACK, KEPT_UNTIL } from './new-contacts.ts';
import { SLOT_IN_MS } from './slots.ts';

/**
 * The statements of this file are SQL: an admission is one transaction on one connection, whose statements go out
 * without waiting for each other, and one statement reads everything that decides (lateral joins over the claim's
 * conditions).
 */

/** A number's locked row, with everything that decides whether a message is admitted. */
export interface AdmissionRow {
  network: Network;
  status: NumberStatus;
  removed: boolean;
  suspended: boolean;
  /** Held by its owner. */
  held: boolean;
  keyDead: boolean;
  accountSuspended: boolean;
  /** The account has no plan that works. */
  accessEnded: boolean;
  /** How many numbers the plan includes, and how many of those it counts precede this one. */
  numbersIncluded: number;
  numbersBefore: number;
  /** If the account tries the number without a plan: its messages of the last 24 hours. Null otherwise. */
  trialSent: number | null;
  sendIntervalSeconds: number;
  /** Its intervals are irregular. */
  protected: boolean;
  /** By the database's clock. */
  now: Date;
  leaseSilentMs: number | null;
  moveGraceMs: number | null;
  /** The time until a BLOCKED number connects again automatically, in ms; else null. */
  blockedLeftMs: number | null;
  /** Its worker's disk has no room for files. */
  mediaRefused: boolean;
  /** The number's build of WhatsApp Web, if it cannot send this kind. */
  failingBuild: string | null;
  /** The time until the number's next slot, in ms; 0 or less when it is free. */
  slotInMs: number;
  syncWaiting: number;
  /** Async messages, without those set aside, kept back or scheduled, which take no slot yet. */
  asyncWaiting: number;
  /** Those of them to the same recipient. */
  asyncToSame: number;
  /**
   * Async messages kept back because their recipients are new, and the time until the first may be sent, in ms.
   */
  keptBack: number;
  keptBackMs: number | null;
  scheduled: number;
  /** The number has sent to the recipient, or received from them. */
  recipientKnown: boolean;
  /**
   * The message of an identical request of the last 10 minutes whose answer was never written, because its caller
   * hung up or its web process ended.
   */
  unansweredId: string | null;
  /**
   * If an identical request waits in another web process: for how long that process has not recorded hang-ups, in ms;
   * of several processes the longest. Else null.
   */
  otherProcessSilentMs: number | null;
  /** The caller has left, and an identical request was accepted since this one arrived, or still waits. */
  repeatedMeanwhile: boolean;
}

/**
 * Locks the number's row until the transaction ends, so that its admissions happen one after another, and reads
 * what decides them. Not `for update`, as in `lockNumber`.
 */
export async function lockForAdmission(
  db: Db,
  params: {
    accountId: string;
    numberId: string;
    keyId: string | null;
    recipient: Recipient;
    kind: MessageType;
    requestHash: string | null;
    /** The web process that asks. */
    webId: string;
    /** If the caller has left: the time since the request's arrival, read after this transaction began, in ms. Else null. */
    leftAgeMs: number | null;
  },
): Promise<AdmissionRow | null> {
  // Both statements are sent at once. The second counts after the lock, because a statement sees what was
  // committed before it began. A caller's age counts until `now()`: the lock may take long. Without the setting,
  // PostgreSQL plans the read each time in a large table, which takes longer than the read, and gets the same plan.
  const lock = db.run(sql`
    select set_config('plan_cache_mode', 'force_generic_plan', true) from numbers
    where id = ${params.numberId} and account_id = ${params.accountId} for no key update`);
  const read = db.run<AdmissionRow>(sql`
    select n.network, n.status, n.removed_at is not null as removed, n.suspended_at is not null as suspended,
      coalesce((select p.media_refused_at is not null from processes p where p.id = l.worker_id), false) as "mediaRefused",
      n.held_at is not null and not n.held_to_decide as held, n.send_interval_seconds as "sendIntervalSeconds", n.protected, clock_timestamp() as now,
      coalesce((select k.revoked_at is not null or coalesce(k.expires_at <= clock_timestamp(), false)
        from api_keys k where k.id = ${params.keyId}), false) as "keyDead",
      (select a.suspended_at is not null from accounts a where a.id = n.account_id) as "accountSuspended",
      (select s.account_id is null or s.ended_at is not null or s.paid_until < ${oldestWorkingPlan()}
        from accounts a left join subscriptions s on s.account_id = a.id where a.id = n.account_id) as "accessEnded",
      ${NUMBERS_BEFORE} as "numbersBefore",
      (select coalesce(s.numbers_included, 0) from accounts a left join subscriptions s on s.account_id = a.id where a.id = n.account_id) as "numbersIncluded",
      (select case when n.trial_active_at is not null and s.account_id is null then (
          select count(*)::int from messages m where m.account_id = a.id and m.created_at > clock_timestamp() - interval '1 day') end
        from accounts a left join subscriptions s on s.account_id = a.id where a.id = n.account_id) as "trialSent",
      (extract(epoch from clock_timestamp() - l.renewed_at) * 1000)::float8 as "leaseSilentMs",
      (extract(epoch from n.moving_until - clock_timestamp()) * 1000)::float8 as "moveGraceMs", ${blockedLeftMs('n')} as "blockedLeftMs",
      ${failingBuild(params.kind)} as "failingBuild", coalesce(${SLOT_IN_MS}, 0) as "slotInMs",
      (select count(*)::int from messages m where m.number_id = n.id and m.status = 'queued' and ${isSync('m')}) as "syncWaiting",
      q.*,
      exists (select from recipients r where r.number_id = n.id and r.recipient = ${params.recipient} and r.known_at is not null) as "recipientKnown",
      case when e.gone then e.id end as "unansweredId",
      case when not e.gone and e.web_id <> ${params.webId} then e.silent_ms end as "otherProcessSilentMs",
      ${params.leftAgeMs}::float8 is not null and exists (
        select from messages m
        where m.number_id = n.id and m.request_hash = ${params.requestHash} and m.api_key_id is not distinct from ${params.keyId}
          and m.idempotency_key is null and m.created_at > clock_timestamp() - interval '10 minutes'
          and (not m.answered or m.created_at > now() - ${params.leftAgeMs} * interval '1 millisecond')) as "repeatedMeanwhile"
    from numbers n left join leases l on l.number_id = n.id
    cross join lateral (
      select count(*) filter (where a.waits)::int as "asyncWaiting",
          count(*) filter (where a.waits and a.recipient = ${params.recipient})::int as "asyncToSame",
          count(*) filter (where a.later)::int as "scheduled",
          count(*) filter (where a.kept)::int as "keptBack",
          (extract(epoch from min(a.until) filter (where a.kept) - clock_timestamp()) * 1000)::float8 as "keptBackMs"
        from (select w.*, not w.kept and not w.later as waits from (
          select m.recipient, ${IS_KEPT_BACK} as kept, ${KEPT_UNTIL} as until, ${isScheduled('m')} as later
          from messages m where m.number_id = n.id and m.status = 'queued' and m.lane = 'async' and not m.set_aside) w) a) q
    left join lateral (
      select m.id, m.web_id, (extract(epoch from clock_timestamp() - p.seen_at) * 1000)::float8 as silent_ms,
          m.caller_left_at is not null
            or m.web_id is distinct from ${params.webId} and coalesce(coalesce(p.alive_at, p.seen_at) <= clock_timestamp() - interval '10 seconds', true) as gone
        from messages m left join processes p on p.id = m.web_id
        where m.number_id = n.id and m.request_hash = ${params.requestHash} and m.answered = false
          and m.api_key_id is not distinct from ${params.keyId}
          and m.idempotency_key is null
          and m.status not in ('failed', 'expired', 'cancelled')
          and m.created_at > clock_timestamp() - interval '10 minutes'
        order by gone desc, m.web_id = ${params.webId}, p.seen_at, m.seq limit 1) e on true
    where n.id = ${params.numberId} and n.account_id = ${params.accountId}`);
  const [, [row]] = await Promise.all([lock, read]);
  return row ?? null;
}

export interface EarlierMessage {
  id: string;
  requestHash: string | null;
  status: MessageStatus;
}

/**
 * The message that was made with this `Idempotency-Key` on this number in the last 24 hours. A scheduled one counts until
 * 24 hours after its time.
 */
export async function findByIdempotencyKey(
  db: Db,
  params: { numberId: string; idempotencyKey: string },
): Promise<EarlierMessage | null> {
  const [row] = await db.run<EarlierMessage>(sql`
    select id, request_hash as "requestHash", status from messages
    where number_id = ${params.numberId} and idempotency_key = ${params.idempotencyKey}
      and (status in ('queued', 'sending') or coalesce(send_at, created_at) > clock_timestamp() - interval '24 hours')`);
  return row ?? null;
}

/** At most this many repeats of a request are noted in its message's timeline. */
const REPEATS_NOTED = 20;

/** Notes in the message's timeline that its request was repeated. */
export async function noteRepeat(db: Db, { messageId }: { messageId: string }): Promise<void> {
  await db.run(sql`
    insert into message_events (message_id, event) select ${messageId}, 'repeated'
    where (select count(*) from message_events where message_id = ${messageId} and event = 'repeated') < ${REPEATS_NOTED}`);
}

/**
 * Frees an `Idempotency-Key` for a new message: its earlier one was definitely not sent, or is a day old. Returns the ID of
 * that one, if there is one.
 */
export async function releaseIdempotencyKey(
  db: Db,
  params: { numberId: string; idempotencyKey: string },
): Promise<string | null> {
  const [released] = await db.run<{ id: string }>(sql`
    update messages set idempotency_key = null
    where number_id = ${params.numberId} and idempotency_key = ${params.idempotencyKey} returning id`);
  return released?.id ?? null;
}

/** Records that a caller, in the web process `webId`, waits for this message again. */
export async function takeOverWaiting(db: Db, params: { messageId: string; webId: string }): Promise<void> {
  await db.run(
    sql`update messages set caller_left_at = null, web_id = ${params.webId} where id = ${params.messageId}`,
  );
}

/**
 * The repeat of a sync request may ask for an immediate answer, or one after some seconds. Its message then waits as
 * long as if it had been accepted so.
 */
export async function waitLonger(
  db: Db,
  { messageId, isAsync, deadlineMs }: { messageId: string; isAsync: boolean; deadlineMs: number },
): Promise<void> {
  await db.run(sql`
    update messages set lane = case when ${isAsync} then ${storedLane('async')} else lane end,
      deadline_at = greatest(deadline_at, created_at + ${deadlineMs} * interval '1 millisecond')
    where id = ${messageId} and status = 'queued' and lane = ${storedLane('sync')}`);
}

export interface NewMessage {
  id: string;
  accountId: string;
  numberId: string;
  apiKeyId: string | null;
  type: MessageType;
  recipient: Recipient;
  content: MessageContent;
  lane: Lane;
  /** How long it may wait, from now or from `sendAt`. */
  deadlineMs: number;
  /** When its sender wants it sent; null for as soon as possible. */
  sendAt?: Date | null;
  /** Not dispatched before this time has passed; null if nothing keeps it back. */
  notBeforeMs?: number | null;
  mediaStatus: 'none' | 'pending';
  requestId: string | null;
  requestHash: string | null;
  reference: string | null;
  /** The message that is sent again. */
  repeats?: string | null;
  idempotencyKey: string | null;
  /** The message that had this key before. */
  keyTakenFrom?: string | null;
  webId: string | null;
}

/** Sends the statement at once, so that it runs before the next ones of the transaction. */
export function insertMessage(db: Db, message: NewMessage): Promise<void> {
  const {
    deadlineMs,
    notBeforeMs = null,
    sendAt = null,
    repeats = null,
    keyTakenFrom = null,
    ...row
  } = message;
  const insert = db.run(sql`
    with accepted as (
      insert into messages (id, account_id, number_id, api_key_id, type, recipient, content, lane, deadline_at, not_before,
        send_at, media_status, request_id, request_hash, reference, repeats, idempotency_key, key_taken_from, web_id)
      values (${row.id}, ${row.accountId}, ${row.numberId}, ${row.apiKeyId}, ${row.type}, ${row.recipient},
        ${JSON.stringify(row.content)}::jsonb, ${storedLane(row.lane)}, greatest(clock_timestamp(), ${sendAt}) + ${deadlineMs} * interval '1 millisecond',
        clock_timestamp() + ${notBeforeMs}::float8 * interval '1 millisecond',
        ${sendAt}, ${row.mediaStatus}, ${row.requestId}, ${row.requestHash}, ${row.reference}, ${repeats}, ${row.idempotencyKey}, ${keyTakenFrom}, ${row.webId})
      returning id
    ) insert into message_events (message_id, event) select id, 'accepted' from accepted`);
  return insert.then(() => {});
}

/**
 * Was this message admitted? Its transaction holds the number's lock until it has committed or failed, so this
 * waits for the lock.
 */
export async function isAdmitted(
  database: Database,
  params: { numberId: string; messageId: string },
): Promise<boolean> {
  return database.db.transaction(async (tx) => {
    await tx.run(sql`select 1 from numbers where id = ${params.numberId} for no key update`);
    const rows = await tx.run(sql`select 1 from messages where id = ${params.messageId}`);
    return rows.length > 0;
  });
}
