import type { EngineSession } from '#server/core/engine.ts';
import type { Holding } from '#server/core/lease.ts';
import { statusOfAck } from '#server/core/message-state.ts';
import type { Address } from '#server/core/recipient.ts';
import { restoreClaim } from '#server/messages/queries/claim.ts';
import type { OutcomeWrite } from '#server/messages/queries/dispatch.ts';
import type { Database } from '#server/platform/db/client.ts';
import type { Log } from '#server/platform/log.ts';
import { forgetOldest } from '../engine/forget-oldest.ts';
import { outcomeOfAck, UNCONFIRMED } from './dispatch-outcomes.ts';

/** How a message was dispatched. */
export interface Dispatched {
  waMessageId: string;
  address: Address;
}

/** Far more than a worker dispatches while a replica is behind. */
const REMEMBERED_MAX = 10_000;

/**
 * What this process has dispatched, by message, in case the database loses a claim: after a failover to a replica
 * that lacks the last commits, such a message waits again.
 */
export const dispatched = new Map<string, Dispatched>();

export function rememberDispatched(messageId: string, how: Dispatched): void {
  dispatched.set(messageId, how);
  forgetOldest(dispatched, REMEMBERED_MAX);
}

interface Claimed {
  database: Database;
  holding: Holding;
  session: Pick<EngineSession, 'reconcile'>;
  log: Log;
}

/**
 * Gives a message that was claimed again the WhatsApp ID of its first dispatch, so that acknowledgements find it.
 * Returns its outcome, from the page's own list.
 */
export async function restoreDispatched(
  { database, holding, session, log }: Claimed,
  messageId: string,
  how: Dispatched,
): Promise<OutcomeWrite> {
  log.error({ messageId }, 'the database has lost the claim of a dispatched message; it is not sent again');
  await restoreClaim(database, holding, { messageId, waMessageId: how.waMessageId });
  const status = statusOfAck((await session.reconcile(how).catch(() => null)) ?? 0);
  return status === null ? UNCONFIRMED : outcomeOfAck(status);
}
