import type { MessageStatus } from '#server/core/message-state.ts';
import { database } from '#server/platform/db/client.ts';
import { log } from '#server/platform/log.ts';
import { metrics } from '#server/platform/metrics/metrics.ts';
import { singleton } from '#server/platform/singleton.ts';

/** The connection was down: anything may have changed. */
interface Resync {
  kind: 'resync';
}

/** A number, its link, its groups or its alerts changed. Every process gets these. */
export type NumberChange = { kind: 'number'; numberId: string } | Resync;

/** A message reached a status. `awaitsMedia`: its file is still to be fetched. */
export type MessageChange =
  | { kind: 'message'; messageId: string; numberId: string; status: MessageStatus; awaitsMedia: boolean }
  | Resync;

/** What changed in an account. `refused`: some of the new requests in its log were refused. */
export type AccountChange =
  | { kind: 'message'; messageId: string; numberId: string }
  | { kind: 'requests'; refused: boolean }
  /** It was suspended or resumed, or its plan changed. */
  | { kind: 'account' }
  | Resync;

/** Gets each payload of a channel, and null after the connection was down. */
type Listener = (payload: string | null) => void;

interface Channel {
  listeners: Set<Listener>;
  listening: Promise<{ unlisten(): Promise<void> }>;
}

const channels = singleton('changes', () => new Map<string, Channel>());

/**
 * Calls `listener` for every change of a number. Resolves to a function that unsubscribes. A lost connection can lose
 * notifications: a `resync` follows.
 */
export function onNumberChange(listener: (change: NumberChange) => void): Promise<() => void> {
  return subscribe('wirebird_number', (payload) =>
    listener(payload === null ? { kind: 'resync' } : { kind: 'number', numberId: payload }),
  );
}

/**
 * Calls `listener` for the messages that concern a process, as {@link onNumberChange}: for a worker, all of the numbers
 * that it leases; for a web process, the outcomes that its callers wait for.
 */
export function onMessageChange(
  processId: string,
  listener: (change: MessageChange) => void,
): Promise<() => void> {
  return subscribe(`wirebird_process_${processId}`, (payload) => {
    if (payload === null) return listener({ kind: 'resync' });
    const [messageId = '', numberId = '', status, media] = payload.split(' ');
    const awaitsMedia = media === 'pending';
    listener({ kind: 'message', messageId, numberId, status: status as MessageStatus, awaitsMedia });
  });
}

/** Calls `listener` for every change of an account's messages, requests and plan, as {@link onNumberChange}. */
export function onAccountChange(
  accountId: string,
  listener: (change: AccountChange) => void,
): Promise<() => void> {
  return subscribe(`wirebird_account_${accountId}`, (payload) => {
    if (payload === null) return listener({ kind: 'resync' });
    const [kind, first = '', numberId = ''] = payload.split(' ');
    if (kind === 'message') listener({ kind, messageId: first, numberId });
    else if (kind === 'requests') listener({ kind, refused: first === 'refused' });
    else listener({ kind: 'account' });
  });
}

/** Listens to a channel while it has subscribers, over this process's LISTEN connection. */
async function subscribe(name: string, listener: Listener): Promise<() => void> {
  const open = channels();
  const channel = open.get(name) ?? listenTo(name);
  open.set(name, channel);
  channel.listeners.add(listener);
  const stop = () => {
    channel.listeners.delete(listener);
    if (channel.listeners.size > 0 || open.get(name) !== channel) return;
    open.delete(name);
    channel.listening.then(({ unlisten }) => unlisten()).catch(() => {});
  };
  try {
    await channel.listening;
  } catch (error) {
    stop();
    throw error;
  }
  return stop;
}

function listenTo(name: string): Channel {
  const listeners = new Set<Listener>();
  const notify: Listener = (payload) => {
    if (payload !== null) metrics().notifications.inc();
    for (const listener of listeners) {
      try {
        listener(payload);
      } catch (error) {
        log.error({ err: error }, 'a listener of changes failed');
      }
    }
  };
  let first = true;
  const listening = database().pool.listen(name, notify, () => {
    if (!first) notify(null);
    first = false;
  });
  return { listeners, listening };
}
