import type { EngineSession } from '#server/core/engine.ts';
import { statusOfAck } from '#server/core/message-state.ts';
import type { Address } from '#server/core/recipient.ts';
import type { ClaimedMessage } from '#server/messages/queries/claim.ts';
import { findSending, type OutcomeWrite, writeOutcome } from '#server/messages/queries/dispatch.ts';
import { sweepDispatches, sweepWaiting } from '#server/messages/queries/sweeps.ts';
import type { Database } from '#server/platform/db/client.ts';
import type { Log } from '#server/platform/log.ts';
import { forgetOldest } from '../../engine/forget-oldest.ts';
import { outcomeOfAck, UNCONFIRMED } from './dispatch-outcomes.ts';

/** Far more than a worker dispatches while a replica is behind. */
const REMEMBERED_MAX = 10_000;

/**
 * Where this process has dispatched each message to, null if it definitely did not leave; and the outcomes that were
 * written. Both by WhatsApp ID. A failover to a replica that lacks the last commits loses them: the message waits again,
 * stays `sending`, or its row is lost and comes again with a repeat.
 */
export const dispatched = new Map<string, Address | null>();
export const outcomes = new Map<string, OutcomeWrite>();

export function noteDispatched(waMessageId: string, address: Address | null): void {
  dispatched.set(waMessageId, address);
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

interface Page {
  session: Pick<EngineSession, 'reconcile'>;
  log: Log;
}

/** Whether the page has a message that an earlier worker may have dispatched. A failed search shows nothing. */
export async function pageHas(
  { session, log }: Page,
  { id, waMessageId }: ClaimedMessage,
  findAddress: () => Promise<Address>,
): Promise<boolean> {
  try {
    const address = await findAddress();
    if ((await session.reconcile({ waMessageId, address, byKey: true })) === null) return false;
    noteDispatched(waMessageId, address);
    return true;
  } catch (error) {
    log.warn(
      { err: error, messageId: id },
      'it could not be looked up whether a message was dispatched before',
    );
    return false;
  }
}

/**
 * The outcome of a message that was dispatched before: the one that was written, otherwise the one of the page's own list.
 */
export async function outcomeOfEarlier(
  { session, log }: Page,
  { id, waMessageId }: ClaimedMessage,
): Promise<OutcomeWrite> {
  log.error(
    { messageId: id },
    'the database has lost a dispatched message or its claim; it is not sent again',
  );
  const address = dispatched.get(waMessageId) ?? null;
  const written = outcomes.get(waMessageId) ?? UNCONFIRMED;
  if (written.status !== 'unknown' || address === null) return written;
  const found = await session.reconcile({ waMessageId, address }).catch(() => null);
  const status = statusOfAck(found ?? 0);
  return status === null ? UNCONFIRMED : outcomeOfAck(status);
}
