import { setTimeout as sleep } from 'node:timers/promises';
import type { EngineSession } from '#server/core/engine.ts';
import type { Recipient } from '#server/core/recipient.ts';
import type { Log } from '#server/platform/log.ts';
import type { Dispatcher } from './dispatcher.ts';

/** A message that may have been sent. */
interface Open {
  waMessageId: string;
  recipient: Recipient;
}

/** After `ready` the page needs time to complete its list of messages, more on a busy machine. */
const SETTLE_AFTER_MS = [5000, 15_000, 60_000];

interface SettleOptions {
  session: Pick<EngineSession, 'reconcile'>;
  dispatcher: Pick<Dispatcher, 'ack'>;
  /** The session has ended. The next session settles the remaining messages. */
  isOver(): boolean;
  log: Log;
}

/**
 * Settles messages with an unknown outcome from the page's list of messages, after each delay of `afterMs` until all are
 * settled. A message that the page does not have, or has not sent yet, stays unknown: an acknowledgement may
 * still come.
 */
export async function settleOpen(
  options: SettleOptions,
  { open, afterMs = SETTLE_AFTER_MS }: { open: readonly Open[]; afterMs?: readonly number[] },
): Promise<void> {
  let left = open;
  for (const ms of afterMs) {
    await sleep(ms, undefined, { ref: false });
    const unsettled: Open[] = [];
    for (const message of left) {
      if (options.isOver()) return;
      if (!(await settle(options, message))) unsettled.push(message);
    }
    if (unsettled.length === 0) return;
    left = unsettled;
  }
}

async function settle({ session, dispatcher, log }: SettleOptions, message: Open): Promise<boolean> {
  try {
    const ack = await session.reconcile(message);
    if (ack !== null) await dispatcher.ack(message.waMessageId, ack);
    return ack !== null && ack !== 0;
  } catch (error) {
    log.warn({ err: error }, 'an unknown outcome could not be settled yet');
    return false;
  }
}
