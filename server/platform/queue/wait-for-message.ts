import { sql } from 'drizzle-orm';
import { isSettled, type MessageStatus } from '#server/core/message-state.ts';
import type { Database } from '#server/platform/db/client.ts';
import { log } from '#server/platform/log.ts';
import { singleton } from '#server/platform/singleton.ts';
import { onMessageChange } from './changes.ts';

/** A lost notification delays a waiting caller by at most this time. */
const SWEEP_MS = 1000;

/** `status`: the new status of the message, if it was announced. */
type Wake = (status: MessageStatus | null) => void;

interface Waiters {
  byMessage: Map<string, Set<Wake>>;
  listening?: Promise<unknown>;
  sweep?: NodeJS.Timeout | undefined;
}

const waiters = singleton('waiters', (): Waiters => ({ byMessage: new Map() }));

function nudge(messageId: string, status: MessageStatus | null = null): void {
  for (const wake of waiters().byMessage.get(messageId) ?? []) wake(status);
}

/** Makes all waiters check their message. */
export function nudgeAll(): void {
  for (const messageId of waiters().byMessage.keys()) nudge(messageId);
}

/** Checks the messages of all waiters at once, in case a notification was lost. */
async function sweep(database: Database): Promise<void> {
  const ids = [...waiters().byMessage.keys()];
  // SQL: the ids are one parameter, however many there are.
  const open = await database.db.run<{ id: string }>(sql`
    select id from messages where id = any(${sql.param(ids)}) and status in ('queued', 'sending')`);
  const waiting = new Set(open.map(({ id }) => id));
  // Also a message that was deleted, and one that is not admitted yet, whose caller looks once too often.
  for (const id of ids) if (!waiting.has(id)) nudge(id);
}

export interface Wait {
  /**
   * Resolves when the message may have been settled, at `untilMs` (clock of `performance.now()`), or on abort:
   * with the status that the database announced, or null if the caller must check.
   */
  change(untilMs: number, signal?: AbortSignal): Promise<MessageStatus | null>;
  release(): void;
}

/**
 * Starts watching a message for a caller of this web process. Call it before the transaction that inserts it, so that no
 * change is missed. If the message's first caller waits in another process, its outcome is seen up to 1 s late.
 */
export async function waitForMessage(
  { database, webId }: { database: Database; webId: string },
  messageId: string,
): Promise<Wait> {
  const w = waiters();
  w.listening ??= onMessageChange(webId, (change) => {
    if (change.kind === 'message' && isSettled(change.status)) nudge(change.messageId, change.status);
    if (change.kind === 'resync') nudgeAll();
  }).catch((error: unknown) => {
    delete w.listening;
    throw error;
  });
  await w.listening;
  w.sweep ??= setInterval(() => {
    sweep(database).catch((error: unknown) => log.warn({ err: error }, 'waiting messages were not checked'));
  }, SWEEP_MS);

  let changed = false;
  let announced: MessageStatus | null = null;
  let wake = () => {};
  const noteChange: Wake = (status) => {
    changed = true;
    announced = status;
    wake();
  };
  const set = w.byMessage.get(messageId) ?? new Set<Wake>();
  w.byMessage.set(messageId, set.add(noteChange));

  return {
    change(untilMs, signal) {
      return new Promise((resolve) => {
        const done = () => {
          const status = announced;
          changed = false;
          announced = null;
          wake = () => {};
          clearTimeout(timer);
          signal?.removeEventListener('abort', done);
          resolve(status);
        };
        const timer = setTimeout(done, Math.max(0, untilMs - performance.now()));
        if (changed || signal?.aborted) return done();
        signal?.addEventListener('abort', done, { once: true });
        wake = done;
      });
    },
    release() {
      set.delete(noteChange);
      if (set.size === 0) w.byMessage.delete(messageId);
      if (w.byMessage.size === 0) {
        clearInterval(w.sweep);
        w.sweep = undefined;
      }
    },
  };
}
