import { sql } from 'drizzle-orm';
import type { Holding } from '#server/core/lease.ts';
import { type MessageOutcome, storedOutcome } from '#server/core/message-outcome.ts';
import type { CancelCode } from '#server/core/outcomes.ts';
import type { Lane } from '#server/core/pacing/lanes.ts';
import type { Db } from '#server/platform/db/client.ts';
import { storedLane } from '#server/schema/lane.ts';

/** Which waiting messages of an account to cancel. Each given field narrows them. */
export interface CancelWaiting extends MessageOutcome<CancelCode> {
  accountId: string;
  numberId?: string;
  apiKeyId?: string;
  messageId?: string;
  lane?: Lane;
  /** Only messages that are set aside. */
  setAside?: true;
  /** For a worker: only while it holds the lease. */
  holding?: Holding;
}

/**
 * Cancels waiting messages, each with an event, and returns how many there were. A message that is being sent is
 * not cancelled. Lock the numbers' rows first if no message may be admitted in between.
 */
export async function cancelWaiting(db: Db, params: CancelWaiting): Promise<number> {
  const { accountId, numberId, apiKeyId, messageId, lane, setAside, holding, errorCode, outcome } = params;
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
  // One statement, so that a message never changes without its event.
  const { rowCount } = await db.execute(sql`
    with cancelled as (
      update messages m set status = 'cancelled', error_code = ${errorCode}, outcome = ${storedOutcome(outcome)}::jsonb,
        settled_at = clock_timestamp()
      where m.account_id = ${accountId} and m.status = 'queued'${sql.join(narrowed)}
      returning m.id)
    insert into message_events (message_id, event, detail)
    select id, 'cancelled', ${errorCode} from cancelled`);
  return rowCount ?? 0;
}
