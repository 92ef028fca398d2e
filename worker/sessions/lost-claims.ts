import type { EngineSession } from '#server/core/engine.ts';
import type { Holding } from '#server/core/lease.ts';
import { statusOfAck } from '#server/core/message-state.ts';
import type { Address } from '#server/core/recipient.ts';
import { restoreClaim } from '#server/messages/queries/claim.ts';
import { findSending, type OutcomeWrite, writeOutcome } from '#server/messages/queries/dispatch.ts';
import { sweepDispatches, sweepWaiting } from '#server/messages/queries/sweeps.ts';
import type { Database } from '#server/platform/db/client.ts';
import type { Log } from '#server/platform/log.ts';
import { forgetOldest } from '../engine/forget-oldest.ts';
import { outcomeOfAck, UNCONFIRMED } from './dispatch-outcomes.ts';

/** How a message was dispatched. */
export interface Dispatched {
  waMessageId: string;
  /** Null if it definitely did not leave. */
  address: Address | null;
}

/** Far more than a worker dispatches while a replica is behind. */
const REMEMBERED_MAX = 10_000;

/**
 * What this process has dispatched, by message, and the outcomes that it has written, by WhatsApp ID. A failover to a
 * replica that lacks the last commits loses both: the message waits again, or stays `sending`.
 */
export const dispatched = new Map<string, Dispatched>();

const outcomes = new Map<string, OutcomeWrite>();

export function noteDispatched(messageId: string, how: Dispatched): void {
  dispatched.set(messageId, how);
  forgetOldest(dispatched, REMEMBERED_MAX);
}

export function noteOutcome(waMessageId: string, outcome: OutcomeWrite): void {
  outcomes.set(waMessageId, outcome);
  forgetOldest(outcomes, REMEMBERED_MAX);
}

/** Ends what waits too long and the dispatches of lost sessions, and writes the outcomes that the database has lost. */
export async function sweepMessages(database: Database, workerId: string): Promise<void> {
  await sweepWaiting(database);
  await sweepDispatches(database);
  if (outcomes.size === 0) return;
  for (const { waMessageId, ...holding } of await findSending(database, { workerId })) {
    const outcome = outcomes.get(waMessageId);
    if (outcome)
      await writeOutcome(database, { workerId, ...holding }, { waMessageId, intervalMs: 0, ...outcome });
  }
}

interface Claimed {
  database: Database;
  holding: Holding;
  session: Pick<EngineSession, 'reconcile'>;
  log: Log;
}

/**
 * Gives a message that was claimed again the WhatsApp ID of its first dispatch, so that acknowledgements find it.
 * Returns its outcome: the one that was written, otherwise the one of the page's own list.
 */
export async function restoreClaimed(
  { database, holding, session, log }: Claimed,
  messageId: string,
  how: Dispatched,
): Promise<OutcomeWrite> {
  log.error({ messageId }, 'the database has lost the claim of a dispatched message; it is not sent again');
  await restoreClaim(database, holding, { messageId, waMessageId: how.waMessageId });
  const written = outcomes.get(how.waMessageId) ?? UNCONFIRMED;
  if (written.status !== 'unknown' || how.address === null) return written;
  const found = await session.reconcile({ ...how, address: how.address }).catch(() => null);
  const status = statusOfAck(found ?? 0);
  return status === null ? UNCONFIRMED : outcomeOfAck(status);
}
