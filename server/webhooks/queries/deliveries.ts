import { sql } from 'drizzle-orm';
import { ATTEMPTS_IN_ORDER, FAILURES_IN_A_ROW } from '#server/core/webhooks/backoff.ts';
import { INSPECT_URL } from '#server/core/webhooks/inspect.ts';
import type { StoredEvent } from '#server/core/webhooks/request-body.ts';
import { oldestWorkingPlan } from '#server/plans/queries/today.ts';
import type { Database } from '#server/platform/db/client.ts';
import { anyOf } from '#server/platform/db/expressions.ts';
import { webhookEndpoints } from '#server/schema/index.ts';

/** Announces the ID of an endpoint that has a new event. */
export const WEBHOOK_CHANNEL = 'wirebird_webhook';
/** Announces the ID of an endpoint that was changed or deleted. */
export const ENDPOINT_CHANNEL = 'wirebird_webhook_endpoint';

/** One delivery that this process has claimed, and its endpoint as it is now. */
export interface Claimed extends StoredEvent {
  deliveryId: number;
  eventId: string;
  /** Including this one. */
  attempts: number;
  endpointId: string;
  url: string;
  /** Sealed. */
  secret: string;
  /** Those before it that requests are still signed with, sealed. */
  previousSecrets: string[];
  /** Attempts at this endpoint that failed since the last success. */
  failuresInARow: number;
}

/** The result of one attempt. */
export interface Attempted {
  deliveryId: number;
  eventId: string;
  endpointId: string;
  durationMs: number;
  /** Null if no request could be made, because it could not be signed. */
  requestHeaders: Record<string, string> | null;
  status: number | null;
  answer: string | null;
  /** Null after a success. */
  error: string | null;
  /** The time until the next attempt; null after a success. */
  retryInMs: number | null;
  /** The endpoint gets no other attempt for this long; null unless it fails often. */
  restMs: number | null;
}

/** Whether its next attempt may be made. The first one does not wait, also if the clock has been set back since. */
const IS_DUE = sql`(attempts = 0 or next_attempt_at <= clock_timestamp() + interval '1 millisecond')`;

/** Whether an endpoint `e` gets requests: without a plan that works, only the inspector does. */
const isServed = () => sql`(e.url = ${INSPECT_URL} or exists (
  select from subscriptions s
  where s.account_id = e.account_id and s.ended_at is null and s.paid_until >= ${oldestWorkingPlan()}))`;

/** A process that delivers has claimed at least one of this many oldest deliveries of an endpoint. */
const LOOKED_AT = 200;

/**
 * Active endpoints with a due delivery. `abandoned`: it has been due for longer than `abandonedMs`, and no process
 * delivers.
 */
export function dueEndpoints(
  database: Database,
  { abandonedMs }: { abandonedMs: number },
): Promise<{ endpointId: string; abandoned: boolean }[]> {
  // SQL: only the first deliveries of each endpoint, because an endpoint that fails may have many.
  return database.db.run<{ endpointId: string; abandoned: boolean }>(sql`
    select e.id as "endpointId",
      greatest(due.since, e.retry_at) < clock_timestamp() - ${abandonedMs} * interval '1 millisecond'
        and not exists (
          select from (select claimed_until from webhook_deliveries
            where endpoint_id = e.id and state = 'pending' order by id limit ${LOOKED_AT}) oldest
          where claimed_until > clock_timestamp()) as abandoned
    from webhook_endpoints e cross join lateral (
      select greatest(next_attempt_at, claimed_until) as since from webhook_deliveries
      where endpoint_id = e.id and state = 'pending' and ${IS_DUE}
        and coalesce(claimed_until, '-infinity') < clock_timestamp()
      order by id limit 1) due
    where e.active and coalesce(e.retry_at, '-infinity') <= clock_timestamp() and ${isServed()}`);
}

/** The accounts of endpoints, and how long the last attempts took. */
export function endpointPaces(
  database: Database,
  params: { endpointIds: string[] },
): Promise<{ endpointId: string; accountId: string; lastDurationMs: number | null }[]> {
  return database.db
    .select({
      endpointId: webhookEndpoints.id,
      accountId: webhookEndpoints.accountId,
      lastDurationMs: webhookEndpoints.lastDurationMs,
    })
    .from(webhookEndpoints)
    .where(anyOf(webhookEndpoints.id, params.endpointIds));
}

/**
 * Claims at most `most` due deliveries for `leaseMs`, oldest first. Later events of a message wait for its earlier
 * ones until these have failed {@link ATTEMPTS_IN_ORDER} times. Claims none of an endpoint that is off or rests,
 * and at most one of an endpoint that keeps failing. A time in a row is rounded to 1 ms.
 */
export function claimDeliveries(
  database: Database,
  params: { endpointId: string; most: number; leaseMs: number },
): Promise<Claimed[]> {
  // SQL: one statement locks, skips what others have locked, and claims.
  return database.webhooksPool.db.run<Claimed>(sql`
    with target as materialized (
      select id, url, secret, failures_in_a_row,
        array(select o.secret from (
          select previous_secret as secret, previous_secret_until as until
          union all select * from json_to_recordset(older_secrets) as t (secret text, until timestamptz)) o
          where o.until > clock_timestamp()) as previous_secrets
      from webhook_endpoints e
      where id = ${params.endpointId} and active and coalesce(retry_at, '-infinity') <= clock_timestamp()
        and ${isServed()}
    ), due as (
      select d.id from webhook_deliveries d
      where d.endpoint_id = (select id from target) and d.state = 'pending'
        and ${IS_DUE}
        and coalesce(d.claimed_until, '-infinity') < clock_timestamp()
        and not exists (
          select from webhook_deliveries earlier
          where earlier.endpoint_id = d.endpoint_id and earlier.subject = d.subject and earlier.state = 'pending'
            and earlier.id < d.id and earlier.attempts < ${ATTEMPTS_IN_ORDER}
          -- Keeps this from becoming a join, which reads all that is pending once for each row.
          offset 0)
      order by d.id
      limit (select case when failures_in_a_row < ${FAILURES_IN_A_ROW} then ${params.most}::int else 1 end from target)
      for update skip locked
    ), claimed as (
      update webhook_deliveries d set claimed_until = clock_timestamp() + ${params.leaseMs} * interval '1 millisecond'
      -- A join may read the whole table.
      where d.id = any(array(select id from due)) returning d.id, d.event_id, d.attempts
    )
    select c.id::float8 as "deliveryId", e.id as "eventId", e.type, e.created_at as timestamp, e.data,
      c.attempts + 1 as attempts, t.id as "endpointId", t.url, t.secret, t.previous_secrets as "previousSecrets",
      t.failures_in_a_row as "failuresInARow"
    from claimed c join webhook_events e on e.id = c.event_id cross join target t order by c.id`);
}

/** Releases deliveries that were claimed but not begun. */
export async function releaseDeliveries(
  database: Database,
  params: { deliveryIds: number[] },
): Promise<void> {
  await database.webhooksPool.db.run(sql`
    update webhook_deliveries set claimed_until = null
    where id = any(${sql.param(params.deliveryIds)}::bigint[]) and state = 'pending'`);
}

/** Writes the results of attempts that have just ended, their log and the state of their endpoints. */
export async function recordAttempts(database: Database, attempts: Attempted[]): Promise<void> {
  const rows = JSON.stringify(attempts);
  // SQL: all writes in one statement, so that a batch costs one round trip.
  await database.webhooksPool.db.run(sql`
    with given as (
      -- By the database's clock: a worker's may be wrong by days, and these times decide when an endpoint is switched off.
      select *, clock_timestamp() - "durationMs" * interval '1 millisecond' as at
      from json_to_recordset(${rows}::json) as t (
        "deliveryId" bigint, "eventId" text, "endpointId" text, "durationMs" int, "requestHeaders" json, status int, answer text,
        error text, "retryInMs" float8, "restMs" float8)
    ), settled as (
      update webhook_deliveries d
      set state = case when g.error is null then 'delivered' else d.state end, attempts = d.attempts + 1,
        settled_at = case when g.error is null then clock_timestamp() end,
        next_attempt_at = case when g.error is null then d.next_attempt_at
          else clock_timestamp() + g."retryInMs" * interval '1 millisecond' end,
        claimed_until = null
      -- A success counts also if the endpoint was switched off meanwhile.
      from given g where d.id = g."deliveryId" and (d.state = 'pending' or d.state = 'dropped' and g.error is null)
    ), logged as (
      insert into webhook_attempts (delivery_id, at, duration_ms, request_headers, status, answer, error)
      select d.id, g.at, g."durationMs", g."requestHeaders", g.status, g.answer, g.error
      -- A replay that has moved the delivery meanwhile sends it again, but this request was sent too.
      from given g join webhook_deliveries d on d.event_id = g."eventId" and d.endpoint_id = g."endpointId" for key share of d
    ), summary as (
      select g."endpointId" as id, max(g.at) filter (where g.error is null) as succeeded_at,
        count(*) filter (where g.error is not null)::int as failures,
        min(g.at) filter (where g.error is not null) as failed_at, max(g."restMs") as rest_ms,
        max(g."durationMs") as duration_ms,
        bool_and(g."requestHeaders" is null) as unsigned
      from given g group by g."endpointId"
    ), locked as (
      select id from webhook_endpoints where id in (select id from summary) order by id for no key update
    )
    update webhook_endpoints e
    set unsigned_since = case when s.unsigned then coalesce(e.unsigned_since, clock_timestamp()) end,
      last_duration_ms = s.duration_ms, last_success_at = coalesce(s.succeeded_at, e.last_success_at),
      failing_since = case when s.succeeded_at is null then coalesce(e.failing_since, s.failed_at) end,
      failures_in_a_row = case when s.succeeded_at is null then e.failures_in_a_row + s.failures else 0 end,
      retry_at = case when s.succeeded_at is null
        then coalesce(clock_timestamp() + s.rest_ms * interval '1 millisecond', e.retry_at) end
    from summary s join locked l on l.id = s.id where e.id = s.id`);
}

/**
 * Switches off an endpoint that has failed for `failingDays`, or whose URL answered 410 and has not changed since.
 * Drops its pending events, which can be replayed. False if the endpoint stays on.
 */
export async function switchOffFailing(
  database: Database,
  params: { endpointId: string; goneUrl: string | null; failingDays: number },
): Promise<boolean> {
  const { endpointId, goneUrl, failingDays } = params;
  // SQL: one statement, so that an endpoint that stays on loses no event.
  const rows = await database.db.run(sql`
    with off as (
      update webhook_endpoints
      set active = false, disabled_at = clock_timestamp(), disabled_reason = case when url = ${goneUrl} then 'gone' else 'failing' end
      where id = ${endpointId} and active
        and (url = ${goneUrl} or failing_since < clock_timestamp() - ${failingDays} * interval '1 day')
      returning id
    ), dropped as (
      update webhook_deliveries d set state = 'dropped', settled_at = clock_timestamp()
      from off where d.endpoint_id = off.id and d.state = 'pending'
    )
    select id from off`);
  return rows.length > 0;
}
