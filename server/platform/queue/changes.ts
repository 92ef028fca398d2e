import type { MessageStatus } from '#server/core/message-state.ts';
import { database } from '#server/platform/db/client.ts';
import { log } from '#server/platform/log.ts';
import { singleton } from '#server/platform/singleton.ts';

/**
 * What the database announces when a row changes: triggers announce numbers with their links and groups, and
 * messages. Writers of other tables call `pg_notify` themselves.
 */
export type Change =
  | { kind: 'number'; numberId: string }
  /** `awaitsMedia`: its file is still to be fetched. */
  | { kind: 'message'; messageId: string; numberId: string; status: MessageStatus; awaitsMedia: boolean }
  /** An account was suspended or resumed, or its plan changed. */
  | { kind: 'account'; accountId: string }
  /** Requests of an account were written to the log; `refused`: some of them were refused. */
  | { kind: 'requests'; accountId: string; refused: boolean }
  /** The connection was down: anything may have changed. */
  | { kind: 'resync' };

type Listener = (change: Change) => void;

interface Hub {
  listeners: Set<Listener>;
  started?: Promise<void>;
}

const hub = singleton('changes', (): Hub => ({ listeners: new Set() }));

function notifyListeners(change: Change): void {
  for (const listener of hub().listeners) {
    try {
      listener(change);
    } catch (error) {
      log.error({ err: error }, 'a listener of changes failed');
    }
  }
}

async function start(): Promise<void> {
  const { sql } = database();
  await sql.listen('wirebird_number', (numberId) => notifyListeners({ kind: 'number', numberId }));
  await sql.listen('wirebird_account', (accountId) => notifyListeners({ kind: 'account', accountId }));
  await sql.listen('wirebird_requests', (payload) => {
    const [accountId = '', refused] = payload.split(' ');
    notifyListeners({ kind: 'requests', accountId, refused: refused === 'refused' });
  });
  let first = true;
  await sql.listen(
    'wirebird_message',
    (payload) => {
      const [messageId = '', numberId = '', status, media] = payload.split(' ');
      notifyListeners({
        kind: 'message',
        messageId,
        numberId,
        status: status as MessageStatus,
        awaitsMedia: media === 'pending',
      });
    },
    () => {
      if (!first) notifyListeners({ kind: 'resync' });
      first = false;
    },
  );
}

/**
 * Calls `listener` for every change of a number, message, account or request log, over this process's LISTEN
 * connection. Resolves to a function that unsubscribes. A lost connection can lose notifications: a `resync`
 * follows, and a waiting caller also polls.
 */
export async function onChange(listener: Listener): Promise<() => void> {
  const h = hub();
  h.listeners.add(listener);
  h.started ??= start().catch((error: unknown) => {
    delete h.started;
    throw error;
  });
  try {
    await h.started;
  } catch (error) {
    h.listeners.delete(listener);
    throw error;
  }
  return () => h.listeners.delete(listener);
}
