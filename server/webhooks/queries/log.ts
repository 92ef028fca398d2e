import { sql } from 'drizzle-orm';
import type { Db } from '#server/platform/db/client.ts';

/** An endpoint's recent results: the requests for its last {@link RECENT} events. */
export interface EndpointHealth {
  endpointId: string;
  requests: number;
  failed: number;
  /** Events that it has not received yet, at most {@link WAITING_MAX}. */
  waiting: number;
}

/** One event on its way to an endpoint, with its last request. */
export interface DeliveryRow {
  /** Its place in the log. */
  id: number;
  eventId: string;
  type: string;
  /** The message, number or endpoint that it is about. */
  subject: string;
  createdAt: Date;
  state: 'pending' | 'delivered' | 'dropped';
  attempts: number;
  nextAttemptAt: Date;
  lastAt: Date | null;
  lastStatus: number | null;
  lastError: string | null;
  lastMs: number | null;
}

/** One request, as it was sent and answered. */
export interface AttemptRow {
  at: Date;
  durationMs: number;
  requestHeaders: Record<string, string> | null;
  status: number | null;
  answer: string | null;
  error: string | null;
}

/** The failure rate covers this many events. */
const RECENT = 100;
const WAITING_MAX = 1000;

export async function endpointHealth(db: Db, params: { accountId: string }): Promise<EndpointHealth[]> {
  // SQL: the lateral join reads only the newest events of each endpoint.
  return db.run<EndpointHealth>(sql`
    select e.id as "endpointId", recent.requests, recent.failed, waiting.waiting
    from webhook_endpoints e
    cross join lateral (
      select count(*)::int as requests, (count(*) filter (where a.error is not null))::int as failed
      from (select id from webhook_deliveries where endpoint_id = e.id order by id desc limit ${RECENT}) d
      join webhook_attempts a on a.delivery_id = d.id) recent
    cross join lateral (
      select count(*)::int as waiting from (
        select from webhook_deliveries where endpoint_id = e.id and state = 'pending' limit ${WAITING_MAX}) pending) waiting
    where e.account_id = ${params.accountId}`);
}

/**
 * An endpoint's log, newest first, before the place `before`. `failed`: only events that were dropped, or that
 * failed and wait for another attempt.
 */
export async function listDeliveries(
  db: Db,
  params: {
    accountId: string;
    endpointId: string;
    limit: number;
    failed: boolean;
    before?: number | undefined;
    eventId?: string | undefined;
  },
): Promise<DeliveryRow[]> {
  const { accountId, endpointId, limit, failed, before = null, eventId = null } = params;
  return db.run<DeliveryRow>(sql`
    select d.id::float8 as id, d.event_id as "eventId", e.type, d.subject, e.created_at as "createdAt", d.state, d.attempts,
      d.next_attempt_at as "nextAttemptAt", last.at as "lastAt", last.status as "lastStatus", last.error as "lastError",
      last.duration_ms as "lastMs"
    from webhook_deliveries d
    join webhook_endpoints w on w.id = d.endpoint_id and w.account_id = ${accountId}
    join webhook_events e on e.id = d.event_id
    left join lateral (
      select at, status, error, duration_ms from webhook_attempts where delivery_id = d.id order by id desc limit 1) last on true
    where d.endpoint_id = ${endpointId} and (${before}::bigint is null or d.id < ${before})
      and (${eventId}::text is null or d.event_id = ${eventId})
      and (not ${failed} or d.state = 'dropped' or (d.state = 'pending' and d.attempts > 0))
    order by d.id desc limit ${limit}`);
}

/**
 * An event's data, and the requests that carried it to this endpoint, newest first. Null for another account's.
 */
export async function findDelivery(
  db: Db,
  params: { accountId: string; endpointId: string; eventId: string; attempts: number },
): Promise<{ data: Record<string, unknown>; attempts: AttemptRow[] } | null> {
  const [row] = await db.run<{ deliveryId: string; data: Record<string, unknown> }>(sql`
    select d.id as "deliveryId", e.data from webhook_deliveries d
    join webhook_endpoints w on w.id = d.endpoint_id and w.account_id = ${params.accountId}
    join webhook_events e on e.id = d.event_id
    where d.endpoint_id = ${params.endpointId} and d.event_id = ${params.eventId}`);
  if (!row) return null;
  const { deliveryId, data } = row;
  const attempts = await db.run<AttemptRow>(sql`
    select at, duration_ms as "durationMs", request_headers as "requestHeaders", status, answer, error
    from webhook_attempts where delivery_id = ${deliveryId} order by id desc limit ${params.attempts}`);
  return { data, attempts };
}
