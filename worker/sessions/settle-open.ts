import { setTimeout as sleep } from 'node:timers/promises';
import type { EngineSession } from '#server/core/engine.ts';
import type { Log } from '#server/log.ts';
import type { Dispatcher } from './dispatcher.ts';

/**
 * Settles messages whose outcome is unknown from the page's own list, once the page has had time to load it.
 * One that the page has never seen, or has not sent yet, stays unknown: a late acknowledgement may come.
 */
export async function settleOpen(params: {
  session: EngineSession;
  dispatcher: Dispatcher;
  open: readonly { waMessageId: string; recipient: string }[];
  afterMs: number;
  log: Log;
}): Promise<void> {
  const { session, dispatcher, open, afterMs, log } = params;
  await sleep(afterMs, undefined, { ref: false });
  for (const { waMessageId, recipient } of open) {
    try {
      const ack = await session.reconcile({ waMessageId, chatId: recipient });
      if (ack !== null) await dispatcher.ack(waMessageId, ack);
    } catch (error) {
      log.warn({ err: error }, 'an unknown outcome could not be settled yet');
    }
  }
}
