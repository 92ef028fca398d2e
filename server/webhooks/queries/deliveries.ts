import { ATTEMPTS_IN_ORDER } from '#server/core/webhooks/backoff.ts';
import type { Database } from '#server/platform/db/client.ts';

/** An endpoint as a process that delivers to it needs it. */
export interface Target {
  endpointId: string;
  url: string;
  /** Sealed. */
  secret: string;
  /** Sealed; null when its time is over. */
  previousSecret: string | null;
  /** Attempts that failed since the last success. */
  failuresInARow: number;
}

/** One delivery that this process has claimed. */
export interface Claimed {
  deliveryId: number;
  eventId: string;
  type: string;
  /** When it happened. */
  timestamp: Date;
  data: Record<string, unknown>;
  /** This one included. */
  attempts: number;
}

/** What became of one attempt. */
export interface Attempted {
  deliveryId: number;
  endpointId: string;
  at: Date;
  durationMs: number;
  requestHeaders: Record<string, string>;
  status: number | null;
  answer: string | null;
  /** Null: it was delivered. */
  error: string | null;
  /** To the next attempt; null where it was delivered. */
  retryInMs: number | null;
  /** No other attempt at this endpoint for so long; null while it does not fail often enough. */
  restMs: number | null;
}

/** Endpoints that have something due and may be asked now; `overdue` where it has been due for longer than that. */
export function dueEndpoints(
  database: Database,
  { overdueMs }: { overdueMs: number },
): Promise<{ endpointId: string; overdue: boolean }[]> {
  // By hand: an aggregate with conditions on the database's clock.
  return database.sql<{ endpointId: string; overdue: boolean }[]>`
    select d.endpoint_id as "endpointId",
      min(greatest(d.next_attempt_at, d.claimed_until, e.retry_at)) < clock_timestamp() - ${overdueMs} * interval '1 millisecond' as overdue
    from webhook_deliveries d join webhook_endpoints e on e.id = d.endpoint_id
    where d.state = 'pending' and d.next_attempt_at <= clock_timestamp()
      and coalesce(d.claimed_until, '-infinity') < clock_timestamp()
      and e.active and coalesce(e.retry_at, '-infinity') <= clock_timestamp()
    group by d.endpoint_id`;
}

/** An active endpoint that may be asked now; null otherwise. */
export async function findTarget(database: Database, endpointId: string): Promise<Target | null> {
  const [row] = await database.sql<Target[]>`
    select id as "endpointId", url, secret, failures_in_a_row as "failuresInARow",
      case when previous_secret_until > clock_timestamp() then previous_secret end as "previousSecret"
    from webhook_endpoints
    where id = ${endpointId} and active and coalesce(retry_at, '-infinity') <= clock_timestamp()`;
  return row ?? null;
}

/**
 * Claims at most `most` deliveries that are due, oldest first, for `leaseMs`. Of each message the earliest pending one,
 * as long as that has failed fewer than {@link ATTEMPTS_IN_ORDER} times.
 */
export function claimDeliveries(
  database: Database,
  params: { endpointId: string; most: number; leaseMs: number },
): Promise<Claimed[]> {
  // By hand: one statement locks, skips what others have locked, and claims.
  return database.sql<Claimed[]>`
    with due as (
      select d.id from webhook_deliveries d
      where d.endpoint_id = ${params.endpointId} and d.state = 'pending' and d.next_attempt_at <= clock_timestamp()
        and coalesce(d.claimed_until, '-infinity') < clock_timestamp()
        and not exists (
          select from webhook_deliveries earlier
          where earlier.endpoint_id = d.endpoint_id and earlier.subject = d.subject and earlier.state = 'pending'
            and earlier.id < d.id and earlier.attempts < ${ATTEMPTS_IN_ORDER})
      order by d.id limit ${params.most} for update skip locked
    ), claimed as (
      update webhook_deliveries d
      set attempts = attempts + 1, claimed_until = clock_timestamp() + ${params.leaseMs} * interval '1 millisecond'
      from due where d.id = due.id returning d.id, d.event_id, d.attempts
    )
    select c.id::float8 as "deliveryId", e.id as "eventId", e.type, e.created_at as timestamp, e.data, c.attempts
    from claimed c join webhook_events e on e.id = c.event_id order by c.id`;
}

/** Writes what became of attempts, their log included, and how their endpoints do. */
export async function recordAttempts(database: Database, attempts: Attempted[]): Promise<void> {
  const rows = JSON.stringify(attempts);
  // By hand: four writes in one statement, so that a batch costs one round trip.
  await database.sql`
    with given as (
      select * from json_to_recordset(${rows}::json) as t (
        "deliveryId" bigint, "endpointId" text, at timestamptz, "durationMs" int, "requestHeaders" json, status int, answer text,
        error text, "retryInMs" float8, "restMs" float8)
    ), settled as (
      update webhook_deliveries d
      set state = case when g.error is null then 'delivered' else d.state end,
        settled_at = case when g.error is null then clock_timestamp() end,
        next_attempt_at = case when g.error is null then d.next_attempt_at
          else clock_timestamp() + g."retryInMs" * interval '1 millisecond' end,
        claimed_until = null
      from given g where d.id = g."deliveryId" and d.state = 'pending' returning d.id
    ), logged as (
      insert into webhook_attempts (delivery_id, at, duration_ms, request_headers, status, answer, error)
      select d.id, g.at, g."durationMs", g."requestHeaders", g.status, g.answer, g.error
      from given g join webhook_deliveries d on d.id = g."deliveryId" for key share of d
    ), summary as (
      select g."endpointId" as id, max(g.at) filter (where g.error is null) as succeeded_at,
        count(*) filter (where g.error is not null)::int as failures,
        min(g.at) filter (where g.error is not null) as failed_at, max(g."restMs") as rest_ms
      from given g group by g."endpointId"
    ), locked as (
      select id from webhook_endpoints where id in (select id from summary) order by id for no key update
    )
    update webhook_endpoints e
    set last_success_at = coalesce(s.succeeded_at, e.last_success_at),
      failing_since = case when s.succeeded_at is null then coalesce(e.failing_since, s.failed_at) end,
      failures_in_a_row = case when s.succeeded_at is null then e.failures_in_a_row + s.failures else 0 end,
      retry_at = case when s.succeeded_at is null
        then coalesce(clock_timestamp() + s.rest_ms * interval '1 millisecond', e.retry_at) end
    from summary s join locked l on l.id = s.id where e.id = s.id`;
}

/**
 * Switches an endpoint off that answered 410 or has failed for so many days, and drops what it was to get; false where
 * it stays on. What was dropped can be replayed.
 */
export async function switchOffFailing(
  database: Database,
  params: { endpointId: string; gone: boolean; failingDays: number },
): Promise<boolean> {
  const { endpointId, gone, failingDays } = params;
  // By hand: one statement, so that nothing is dropped of an endpoint that stays on.
  const rows = await database.sql`
    with off as (
      update webhook_endpoints
      set active = false, disabled_at = clock_timestamp(), disabled_reason = case when ${gone} then 'gone' else 'failing' end
      where id = ${endpointId} and active
        and (${gone} or failing_since < clock_timestamp() - ${failingDays} * interval '1 day')
      returning id
    ), dropped as (
      update webhook_deliveries d set state = 'dropped', settled_at = clock_timestamp()
      from off where d.endpoint_id = off.id and d.state = 'pending'
    )
    select id from off`;
  return rows.length > 0;
}
