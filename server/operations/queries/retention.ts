import { type SQL, sql } from 'drizzle-orm';
import type { Database } from '#server/platform/db/client.ts';
import { settings } from '#server/settings.ts';

// The statements of this file are SQL: each limits its rows by a subquery over several tables, some by `ctid`. They use
// `now()` and not `clock_timestamp()`, because an index serves only a bound that is fixed for the statement. A sorted
// lateral subquery per account reads an index: otherwise PostgreSQL reads the whole table, which takes over 10 s.

/**
 * Erases a batch, so that no statement locks rows for long, and returns how many rows it touched. Messages that
 * wait or are being sent are not touched.
 */
export type EraseBatch = (database: Database, params: { limit: number }) => Promise<number>;

const erasesBy =
  (statement: (limit: number) => SQL): EraseBatch =>
  async ({ db }, { limit }) =>
    (await db.run(statement(limit))).length;

/**
 * Texts and captions, after as many days as their account keeps them, counted from the time a message was
 * scheduled for.
 */
export const eraseTexts = erasesBy(
  (limit) => sql`
    update messages set content = null where id in (
      select m.id from accounts a cross join lateral (
        select id from messages where account_id = a.id and content is not null
          and created_at <= now() - a.text_retention_days * interval '1 day'
          and coalesce(send_at, created_at) <= now() - a.text_retention_days * interval '1 day'
          and status not in ('queued', 'sending')
        order by created_at limit ${limit}::int) m
      limit ${limit}::int)
    returning 1`,
);

/** Hashes of requests and idempotency keys, after the day in which they recognise a repeat. */
export const eraseHashes = erasesBy(
  (limit) => sql`
    update messages set request_hash = null, idempotency_key = null where id in (
      select id from messages
      where request_hash is not null and created_at <= now() - interval '1 day'
        and coalesce(send_at, created_at) <= now() - interval '1 day' and status not in ('queued', 'sending')
      order by created_at limit ${limit})
    returning 1`,
);

/** Marks the files of settled messages as erased. The workers remove them from their disks. */
export const eraseFiles = erasesBy(
  (limit) => sql`
    update messages set media_status = 'erased' where id in (
      select id from messages where media_status in ('pending', 'ready') and settled_at <= now()
      limit ${limit})
    returning 1`,
);

/**
 * Messages with their events, after as many days as their account keeps them. A message stays at least as long as
 * a repeat of its request must find it: 10 minutes after its end, or a day with an idempotency key.
 */
export const deleteMessages = erasesBy(
  (limit) => sql`
    delete from messages where id in (
      select m.id from accounts a cross join lateral (
        select id from messages where account_id = a.id
          and created_at <= now() - a.metadata_retention_days * interval '1 day'
          and coalesce(send_at, created_at) <= now() - a.metadata_retention_days * interval '1 day'
          and status not in ('queued', 'sending')
          and coalesce(settled_at, created_at) <= now() - interval '10 minutes'
          and (idempotency_key is null or coalesce(send_at, created_at) <= now() - interval '1 day')
        order by created_at limit ${limit}::int) m
      limit ${limit}::int)
    returning 1`,
);

/** Look-ups. They stay for at least 10 minutes, because they count towards the limit of look-ups. */
export const deleteLookUps = erasesBy(
  (limit) => sql`
    delete from look_ups where ctid in (
      select l.ctid from numbers n join accounts a on a.id = n.account_id cross join lateral (
        select ctid from look_ups where number_id = n.id
          and at <= now() - greatest(a.metadata_retention_days * interval '1 day', interval '10 minutes')
        order by at limit ${limit}::int) l
      limit ${limit}::int)
    returning 1`,
);

/**
 * Recipients, after as many days without a message as their account keeps messages; at least a day, for the limit
 * of new contacts.
 */
export const deleteRecipients = erasesBy(
  (limit) => sql`
    delete from recipients where ctid in (
      select r.ctid from numbers n join accounts a on a.id = n.account_id cross join lateral (
        select ctid from recipients where number_id = n.id
          and greatest(asked_at, known_at) <= now() - greatest(a.metadata_retention_days, 1) * interval '1 day'
        order by greatest(asked_at, known_at) limit ${limit}::int) r
      limit ${limit}::int)
    returning 1`,
);

/** Alerts go by a number's history, and it names no recipient. */
const HISTORY_DAYS_MIN = 30;
/** Each batch looks at this many of a number's oldest entries, so that it reads no longer history. */
const HISTORY_ROWS = 20;

/**
 * The history of numbers, after as many days as their account keeps messages, at least 30. Since its last connection all
 * of it stays.
 */
export const deleteNumberEvents = erasesBy(
  (limit) => sql`
    delete from number_events where id in (
      select e.id from numbers n join accounts a on a.id = n.account_id cross join lateral (
        select id from (select id, at from number_events where number_id = n.id order by id limit ${HISTORY_ROWS}::int) oldest
        where at <= now() - greatest(a.metadata_retention_days, ${HISTORY_DAYS_MIN}::int) * interval '1 day'
          and id < (select max(id) from number_events where number_id = n.id and status = 'CONNECTED')) e
      limit ${limit}::int)
    returning 1`,
);

/** Checks of recipients, after the day in which they count. One that no worker has taken is given up. */
export const deleteRecipientChecks = erasesBy(
  (limit) => sql`
    delete from recipient_checks where ctid in (
      select ctid from recipient_checks where asked_at <= now() - interval '1 day' limit ${limit})
    returning 1`,
);

/**
 * Webhook events with their deliveries and log, after as many days as the operator keeps them, or earlier with the
 * account's messages, because they name recipients. One that is still to be delivered then stays.
 */
export const deleteWebhookEvents = erasesBy(
  (limit) => sql`
    delete from webhook_events where id in (
      select e.id from accounts a cross join lateral (
        select id from webhook_events where account_id = a.id
          and created_at <= now() - least(a.metadata_retention_days, ${settings.webhookRetentionDays}::int) * interval '1 day'
          and (created_at <= now() - ${settings.webhookRetentionDays}::int * interval '1 day'
            or not exists (select from webhook_deliveries d where d.event_id = webhook_events.id and d.state = 'pending'))
        order by created_at limit ${limit}::int) e
      limit ${limit}::int)
    returning 1`,
);

/** Beyond these an account's oldest requests are deleted, so that one account cannot fill the disk. */
const REQUESTS_OF_ACCOUNT_MAX = 200_000;

/**
 * The request log, after as many days as the operator keeps it, or earlier with the account's messages, because it
 * names recipients. Also what an account has beyond its limit.
 */
export const deleteRequests = erasesBy(
  (limit) => sql`
    delete from requests where id in (
      select r.id from accounts a cross join lateral (
        (select id from requests where account_id = a.id
          and at <= now() - least(a.metadata_retention_days, ${settings.requestLogDays}::int) * interval '1 day'
          order by at limit ${limit}::int)
        union
        (select id from requests where account_id = a.id order by id desc offset ${REQUESTS_OF_ACCOUNT_MAX}::int)) r
      limit ${limit}::int)
    returning 1`,
);

/** Attempts from many addresses must not fill the disk. Those with the fewest tries are deleted first. */
const ATTEMPTS_MAX = 200_000;
/** Nor must sign-ups that nobody confirms. */
const SIGN_UPS_MAX = 50_000;

/**
 * Expired reset links and sign-ups, old or surplus counts of attempts, and places without a sign-in for 90 days.
 */
export const deleteLeftovers: EraseBatch = async ({ db }, { limit }) => {
  const links = await db.run(sql`delete from reset_links where expires_at <= now() returning 1`);
  const signUps = await db.run(sql`
    delete from sign_ups where token_hash in (
      select token_hash from sign_ups where expires_at <= now()
        or expires_at < (select expires_at from sign_ups order by expires_at desc offset ${SIGN_UPS_MAX}::int limit 1)
      limit ${limit})
    returning 1`);
  const buckets = await db.run(sql`
    delete from rate_buckets where key in (
      select key from rate_buckets where updated_at <= now() - interval '1 day' limit ${limit})
    returning 1`);
  const attempts = await db.run(sql`
    delete from attempts where key in (
      select key from attempts where updated_at <= now() - interval '1 day' limit ${limit})
    returning 1`);
  const surplus = await db.run(sql`
    delete from attempts where key in (
      select key from attempts order by count, updated_at
      limit least(${limit}::int, greatest(0, (select count(*) from attempts) - ${ATTEMPTS_MAX}::int)))
    returning 1`);
  const places = await db.run(sql`
    delete from known_places where (who, place) in (
      select who, place from known_places where seen_at <= now() - interval '90 days' limit ${limit})
    returning 1`);
  return Math.max(...[links, signUps, buckets, attempts, surplus, places].map(({ length }) => length));
};
