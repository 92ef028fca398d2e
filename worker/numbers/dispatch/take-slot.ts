import type { Holding } from '#server/core/lease.ts';
import { isMedia, type MessageType } from '#server/core/message.ts';
import type { SendError } from '#server/core/send-failures.ts';
import { type ClaimedMessage, claimSlot, findClaim } from '#server/messages/queries/claim.ts';
import type { Database } from '#server/platform/db/client.ts';
import { backendOf } from '#server/platform/db/connection.ts';
import type { Log } from '#server/platform/log.ts';
import { metrics } from '#server/platform/metrics/metrics.ts';
import type { RecipientResolver } from './recipient-resolver.ts';

/** A claimed message. */
export interface Dispatch {
  message: ClaimedMessage;
  /** When the claim was requested, on the clock of `performance.now()`: the lease held then or later. */
  requestedAtMs: number;
  /** Whether the claim was committed. The message is prepared before that is known. */
  claimed: Promise<boolean>;
  /** Where it goes, once that was asked. */
  resolved?: ReturnType<RecipientResolver['resolve']>;
  /** The code with which WhatsApp refused the message. */
  refusedWith?: number;
  /** Why it was certainly not sent, if the session found that out after it had accepted the message. */
  failure?: SendError;
}

interface TakeSlotParams {
  database: Database;
  holding: Holding;
  log: Log;
  intervalMs: number;
  pageBuild: string | null;
  /** The kinds that may be sent now; null: all. */
  kinds: readonly MessageType[] | null;
  /** Retries the work while the database is not available. */
  untilWritten<T>(work: () => Promise<T>): Promise<T>;
}

/** Claims the number's slot. If the database's answer is lost, finds out what was claimed. */
export async function takeSlot(params: TakeSlotParams): Promise<Dispatch | null> {
  const { database, holding, log, intervalMs, pageBuild, kinds, untilWritten } = params;
  const requestedAtMs = performance.now();
  const find = (error: unknown) => {
    log.warn({ err: error, numberId: holding.numberId }, 'the answer to a claim was lost');
    const backend = backendOf(error);
    return untilWritten(() => findClaim(database, holding, { backend }));
  };
  try {
    const claim = await claimSlot(database, holding, { intervalMs, pageBuild, kinds });
    if (!claim) return null;
    const claimed = claim.committed.then(
      () => true,
      async (error: unknown) => (await find(error).catch(() => null))?.id === claim.message.id,
    );
    return { message: claim.message, requestedAtMs, claimed };
  } catch (error) {
    const message = await find(error);
    return message && { message, requestedAtMs, claimed: Promise.resolve(true) };
  }
}

export function observeSlot({ lane, content, acceptedMsAgo, lateMs }: ClaimedMessage): void {
  if (acceptedMsAgo !== null) metrics().acceptedToDispatch.observe({ lane }, acceptedMsAgo / 1000);
  if (lateMs !== null && !isMedia(content)) metrics().slotLateness.observe(lateMs / 1000);
}
