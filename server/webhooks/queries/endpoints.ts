import { and, asc, count, eq, type InferSelectModel, isNull, type SQL, sql } from 'drizzle-orm';
import type { EventType } from '#server/core/webhooks/events.ts';
import type { Database, Db, Tx } from '#server/platform/db/client.ts';
import { msFromNow } from '#server/platform/db/expressions.ts';
import { numbers, webhookDeliveries, webhookEndpoints } from '#server/schema/index.ts';
import { ENDPOINT_CHANNEL, WEBHOOK_CHANNEL } from './deliveries.ts';

export type EndpointRow = InferSelectModel<typeof webhookEndpoints>;

/** Whose endpoints: an account's, or with `numberId` those that an API key of that number manages. */
export interface EndpointScope {
  accountId: string;
  numberId?: string;
}

const ofScope = ({ accountId, numberId }: EndpointScope) =>
  and(
    eq(webhookEndpoints.accountId, accountId),
    numberId === undefined ? undefined : eq(webhookEndpoints.numberId, numberId),
  );

/** Whether any account has an endpoint. */
export async function hasEndpoints({ db }: Database): Promise<boolean> {
  const rows = await db.run(sql`select from webhook_endpoints limit 1`);
  return rows.length > 0;
}

/** The endpoints of an account, oldest first. */
export function listEndpointRows(db: Db, scope: EndpointScope): Promise<EndpointRow[]> {
  return db
    .select()
    .from(webhookEndpoints)
    .where(ofScope(scope))
    .orderBy(asc(webhookEndpoints.createdAt), asc(webhookEndpoints.id));
}

/** One endpoint, locked until the transaction ends; null for another account's. */
export async function lockEndpoint(
  tx: Tx,
  { endpointId, ...scope }: EndpointScope & { endpointId: string },
): Promise<EndpointRow | null> {
  const [row] = await tx
    .select()
    .from(webhookEndpoints)
    .where(and(eq(webhookEndpoints.id, endpointId), ofScope(scope)))
    .for('no key update');
  return row ?? null;
}

/** How many endpoints get the events of this number; with null, of the number that has most. */
export async function countEndpoints(
  tx: Tx,
  { accountId, numberId }: { accountId: string; numberId: string | null },
): Promise<number> {
  const rows = await tx
    .select({ numberId: webhookEndpoints.numberId, count: count() })
    .from(webhookEndpoints)
    .leftJoin(numbers, eq(numbers.id, webhookEndpoints.numberId))
    .where(and(eq(webhookEndpoints.accountId, accountId), isNull(numbers.removedAt)))
    .groupBy(webhookEndpoints.numberId);
  const countOf = (id: string | null) => rows.find((row) => row.numberId === id)?.count ?? 0;
  const own =
    numberId === null ? rows.flatMap((row) => (row.numberId ? row.count : [])) : [countOf(numberId)];
  return countOf(null) + Math.max(0, ...own);
}

export async function insertEndpoint(
  tx: Tx,
  endpoint: {
    id: string;
    accountId: string;
    numberId: string | null;
    url: string;
    events: readonly EventType[];
    secret: string;
  },
): Promise<EndpointRow> {
  const [row] = await tx
    .insert(webhookEndpoints)
    .values({ ...endpoint, events: [...endpoint.events] })
    .returning();
  if (!row) throw new Error('the endpoint was not inserted');
  // Workers start to deliver with the first endpoint, before its first event.
  await tx.run(sql`select pg_notify(${WEBHOOK_CHANNEL}, ${row.id})`);
  return row;
}

/** Changes a locked endpoint. */
export async function updateEndpoint(
  tx: Tx,
  endpointId: string,
  change: { [Field in Exclude<keyof EndpointRow, 'id' | 'accountId'>]?: EndpointRow[Field] | SQL },
): Promise<EndpointRow> {
  const [row] = await tx
    .update(webhookEndpoints)
    .set(change)
    .where(eq(webhookEndpoints.id, endpointId))
    .returning();
  if (!row) throw new Error('the endpoint is gone although it was locked');
  await notifyChange(tx, endpointId);
  return row;
}

/**
 * Gives a locked endpoint another secret. Requests are signed with those before it too, each for `overlapMs` after it
 * was replaced. What waited for a secret that can be read gets its next request now.
 */
export async function replaceSecret(
  tx: Tx,
  endpointId: string,
  { secret, overlapMs }: { secret: string; overlapMs: number },
): Promise<EndpointRow> {
  // SQL: by the database's clock, which also decides with which ones requests are signed.
  return updateEndpoint(tx, endpointId, {
    secret,
    previousSecret: sql`secret`,
    previousSecretUntil: msFromNow(overlapMs),
    olderSecrets: sql`(
      select coalesce(json_agg(o order by o.until desc), '[]') from (
        select previous_secret as secret, previous_secret_until as until
        union all select * from json_to_recordset(older_secrets) as t (secret text, until timestamptz)) o
      where o.until > clock_timestamp())`,
    unsignedSince: null,
    retryAt: sql`case when unsigned_since is null then retry_at end`,
  });
}

/** Drops the pending events of a locked endpoint. They can be replayed. */
export async function dropPending(tx: Tx, params: { endpointId: string }): Promise<void> {
  await tx
    .update(webhookDeliveries)
    .set({ state: 'dropped', settledAt: sql`clock_timestamp()` })
    .where(and(eq(webhookDeliveries.endpointId, params.endpointId), eq(webhookDeliveries.state, 'pending')));
}

/** Deletes a locked endpoint, with its deliveries and their log. */
export async function deleteEndpoint(tx: Tx, endpointId: string): Promise<void> {
  await tx.delete(webhookEndpoints).where(eq(webhookEndpoints.id, endpointId));
  await notifyChange(tx, endpointId);
}

/** Keeps a worker from sending what it has claimed for the endpoint as it was. */
const notifyChange = (tx: Tx, endpointId: string) =>
  tx.run(sql`select pg_notify(${ENDPOINT_CHANNEL}, ${endpointId})`);

/** The newest requests for an event that its log shows. A replay deletes older ones: otherwise it grows with each. */
export const ATTEMPTS_KEPT = 50;

/** The most events that one statement replays, and those of the same millisecond. */
const REPLAYED_AT_ONCE = 10_000;

/**
 * Makes deliveries of an endpoint pending again: its first events since `since`, or one. Includes events that it did
 * not get because it was off. Returns how many, and since when there may be more (null: there are none).
 */
export async function replayEvents(
  tx: Tx,
  params: Pick<EndpointRow, 'id' | 'accountId' | 'numberId' | 'events'> & { since?: Date; eventId?: string },
): Promise<{ events: number; next: Date | null }> {
  const { since = new Date(0), eventId = null } = params;
  // SQL: an insert that reads another table, and resets the rows that already exist.
  const rows = await tx.run<{ events: number; subjects: string[] | null; next: Date | null }>(sql`
    with wanted as (
      select id, subject, created_at, data from webhook_events
      where account_id = ${params.accountId} and created_at >= ${since}
        and (type = any (${sql.param(params.events)}::text[])
            and (${params.numberId}::text is null or number_id = ${params.numberId})
          or exists (select from webhook_deliveries where event_id = webhook_events.id and endpoint_id = ${params.id}))
        and coalesce(id = ${eventId}::text, true)
      order by created_at fetch first ${REPLAYED_AT_ONCE} rows with ties
    ), revived as (
      insert into webhook_deliveries (endpoint_id, event_id, subject)
      select ${params.id}, id, subject from wanted order by created_at, (data->>'sequence')::bigint, id
      on conflict (endpoint_id, event_id) do update
      set state = 'pending', attempts = 0, next_attempt_at = clock_timestamp(), settled_at = null
      returning id, subject
    ), forgotten as (
      delete from webhook_attempts where id in (
        select id from (
          select a.id, row_number() over (partition by a.delivery_id order by a.id desc) as nth
          from revived join webhook_attempts a on a.delivery_id = revived.id) numbered
        where nth >= ${ATTEMPTS_KEPT})
    )
    select count(*)::int as events, array_agg(distinct subject) as subjects, pg_notify(${WEBHOOK_CHANNEL}, ${params.id}),
      case when count(*) >= ${REPLAYED_AT_ONCE}::int then (select max(created_at) + interval '1 millisecond' from wanted) end as next
    from revived`);
  const [row] = rows;
  if (!row?.subjects) return { events: 0, next: null };
  await restoreOrder(tx, { endpointId: params.id, subjects: row.subjects });
  return { events: row.events, next: row.next && new Date(row.next) };
}

/**
 * Moves pending events of these messages, numbers or endpoints to the end, in order, where an earlier one comes after
 * them: one that was missed has just been inserted. Their requests stay in the log.
 */
async function restoreOrder(
  tx: Tx,
  { endpointId, subjects }: { endpointId: string; subjects: string[] },
): Promise<void> {
  // SQL: window functions instead of joins, for which PostgreSQL expects one row and would compare each with each.
  // Its own statement, so that it sees what was written during the replay.
  await tx.run(sql`
    with pending as (
      select d.id, d.event_id, d.subject, (e.data->>'sequence')::bigint as sequence
      from webhook_deliveries d join webhook_events e on e.id = d.event_id
      where d.endpoint_id = ${endpointId} and d.state = 'pending'
        -- Within an expression PostgreSQL hashes the list, and does not join it.
        and coalesce(d.subject in (select unnest(${sql.param(subjects)}::text[])), false)
    ), compared as (
      select *, id < lag(id) over (partition by subject order by sequence, id) as early from pending
    ), judged as (
      select *, bool_or(early) over (partition by subject order by sequence, id) as disordered from compared
    ), moved as (
      insert into webhook_deliveries (endpoint_id, event_id, subject)
      select ${endpointId}, event_id, subject from judged where disordered order by sequence, id
      -- Gives each row the next identity, and changes nothing else.
      on conflict (endpoint_id, event_id) do update set id = default
      returning id, event_id
    )
    update webhook_attempts a set delivery_id = moved.id
    -- This still sees the old identities.
    from moved join webhook_deliveries d on d.event_id = moved.event_id and d.endpoint_id = ${endpointId}
    where a.delivery_id = d.id`);
}

/**
 * Writes an event for one locked endpoint only, whatever it subscribes to. Its `sequence` is higher than that of each
 * earlier one, including those that have been deleted since.
 */
export async function insertTestEvent(
  tx: Tx,
  params: { accountId: string; endpointId: string; eventId: string; type: string },
): Promise<void> {
  const { endpointId, eventId, type } = params;
  // SQL: an event with its delivery and the notification, as the triggers write them.
  await tx.run(sql`
    with endpoint as (
      update webhook_endpoints set test_sequence = test_sequence + 1
      where id = ${endpointId} and account_id = ${params.accountId}
      returning id, account_id, test_sequence
    ), event as (
      insert into webhook_events (id, account_id, subject, type, data)
      select ${eventId}, account_id, id, ${type}, json_build_object('id', id, 'sequence', test_sequence)
      from endpoint returning id, subject
    ), delivery as (
      insert into webhook_deliveries (endpoint_id, event_id, subject)
      select ${endpointId}, id, subject from event returning endpoint_id
    ) select pg_notify(${WEBHOOK_CHANNEL}, endpoint_id) from delivery`);
}
