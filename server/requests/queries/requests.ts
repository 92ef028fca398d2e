import { sql } from 'drizzle-orm';
import type { Database } from '#server/platform/db/client.ts';
import type { requests } from '#server/schema/index.ts';
import { isRefused } from './is-refused.ts';

/** A request as the log keeps it. */
export type LoggedRequest = Omit<typeof requests.$inferSelect, 'id' | 'dismissedAt'>;

/**
 * Stores requests and notifies open pages, once for each account. Leaves out requests of an account that was
 * deleted in the meantime.
 */
export async function insertRequests({ forPages }: Database, rows: LoggedRequest[]): Promise<void> {
  // SQL: a batch is one parameter, and a deleted account must not fail the others.
  await forPages.db.run(sql`
    with added as (
      insert into requests (account_id, number_id, key_id, at, endpoint, status, error_code, request_id, duration_ms,
        message_id, reference, body, answer)
      select a.id, g."numberId", g."keyId", g.at, g.endpoint, g.status, g."errorCode", g."requestId", g."durationMs",
        g."messageId", g.reference, g.body, g.answer
      from json_to_recordset(${JSON.stringify(rows)}::json) as g (
        "accountId" text, "numberId" text, "keyId" text, at timestamptz, endpoint text, status int, "errorCode" text,
        "requestId" text, "durationMs" int, "messageId" text, reference text, body text, answer text)
      join accounts a on a.id = g."accountId" and a.deleted_at is null
      for key share of a
      returning account_id, ${isRefused('requests')} as refused
    )
    select pg_notify('wirebird_account_' || account_id, 'requests' || case when bool_or(refused) then ' refused' else '' end)
    from added group by account_id`);
}
