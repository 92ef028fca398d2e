import { setTimeout as sleep } from 'node:timers/promises';
import type { EngineSession } from '#server/core/engine.ts';
import type { DispatchedMessage } from '#server/messages/queries/sweeps.ts';
import type { Log } from '#server/platform/log.ts';
import type { Dispatcher } from './dispatcher.ts';

/** After `ready` the page needs time to complete its list of messages, more on a busy machine. */
const RESOLVE_AFTER_MS = [5000, 15_000, 60_000];

interface ResolveOptions {
  session: Pick<EngineSession, 'reconcile'>;
  dispatcher: Pick<Dispatcher, 'ack'>;
  /** The session has ended. The next session resolves the remaining messages. */
  isOver(): boolean;
  log: Log;
}

/**
 * Resolves unknown messages from the page's list of messages, after each delay of `afterMs` until all are resolved. A
 * message that the page does not have, or has not sent yet, stays unknown: an acknowledgement may still come.
 */
export async function resolveUnknown(
  options: ResolveOptions,
  {
    messages,
    afterMs = RESOLVE_AFTER_MS,
  }: { messages: readonly DispatchedMessage[]; afterMs?: readonly number[] },
): Promise<void> {
  let left = messages;
  for (const ms of afterMs) {
    await sleep(ms, undefined, { ref: false });
    const unresolved: DispatchedMessage[] = [];
    for (const message of left) {
      if (options.isOver()) return;
      if (!(await resolve(options, message))) unresolved.push(message);
    }
    if (unresolved.length === 0) return;
    left = unresolved;
  }
}

/**
 * Records what recipients received and read while the number had no session. The page stores those receipts as it logs in,
 * before anything listens to it.
 */
export async function recordReceipts(
  options: ResolveOptions,
  messages: readonly DispatchedMessage[],
): Promise<void> {
  for (const message of messages) {
    if (options.isOver()) return;
    await resolve(options, message);
  }
}

async function resolve(
  { session, dispatcher, log }: ResolveOptions,
  message: DispatchedMessage,
): Promise<boolean> {
  try {
    const ack = await session.reconcile(message);
    if (ack !== null) await dispatcher.ack(message.waMessageId, ack);
    return ack !== null && ack !== 0;
  } catch (error) {
    log.warn({ err: error }, 'what became of a message could not be looked up');
    return false;
  }
}
