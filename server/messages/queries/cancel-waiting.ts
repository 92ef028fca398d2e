import { sql } from 'drizzle-orm';
import type { Holding } from '#server/core/lease.ts';
import type { CancelCode } from '#server/core/outcomes.ts';
import type { Lane } from '#server/core/pacing/lanes.ts';
import type { Db } from '#server/platform/db/client.ts';
import { storedLane } from '#server/schema/lane.ts';

/** What to cancel: everything that waits in the account, narrowed by what is given besides. */
export interface CancelWaiting {
  accountId: string;
  numberId?: string;
  apiKeyId?: string;
  messageId?: string;
  lane?: Lane;
  /** Only what is set aside. */
  setAside?: true;
  /** A worker's word counts as long as it holds the lease. */
  holding?: Holding;
  errorCode: CancelCode;
  /** As a sentence for the sender. */
  error: string;
}

/**
 * Cancels what waits, with an entry in each message's timeline, and returns how many there were. What is
 * already being dispatched is finished. Lock the numbers' rows first where nothing may be admitted meanwhile.
 */
export async function cancelWaiting(db: Db, params: CancelWaiting): Promise<number> {
  const { accountId, numberId, apiKeyId, messageId, lane, setAside, holding, errorCode, error } = params;
  const narrowed = [
    numberId === undefined ? sql`` : sql` and m.number_id = ${numberId}`,
    apiKeyId === undefined ? sql`` : sql` and m.api_key_id = ${apiKeyId}`,
    messageId === undefined ? sql`` : sql` and m.id = ${messageId}`,
    lane === undefined ? sql`` : sql` and m.lane = ${storedLane(lane)}`,
    setAside === undefined ? sql`` : sql` and m.set_aside`,
    holding === undefined
      ? sql``
      : sql` and exists (select from leases l where l.number_id = ${holding.numberId} and l.worker_id = ${holding.workerId}
          and l.fence = ${holding.fence})`,
  ];
  const { rows } = await db.execute<{ id: string }>(sql`
    with cancelled as (
      update messages m set status = 'cancelled', error_code = ${errorCode}, error = ${error},
        settled_at = clock_timestamp()
      where m.account_id = ${accountId} and m.status = 'queued'${sql.join(narrowed)}
      returning m.id)
    insert into message_events (message_id, event, detail)
    select id, 'cancelled', ${errorCode} from cancelled
    returning message_id as id`);
  return rows.length;
}
