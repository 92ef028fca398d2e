import type { Actor } from '#server/core/actor.ts';
import type { Database, Db, Tx } from './client.ts';

/** An account's data, to be read: the first argument of what reads them. */
export interface AccountScope {
  /** The pool, or a transaction: {@link inside}. */
  database: { db: Db };
  accountId: string;
}

/** Somebody who changes something. */
export interface ActorContext {
  database: Database;
  actor: Actor;
}

/** Somebody who changes an account. Transports make it once per request. */
export interface AccountContext extends ActorContext {
  accountId: string;
}

/** A signed-in user who changes their own sign-in, or the operator who does it for them. */
export interface UserContext extends ActorContext {
  userId: string;
}

/** A request that may be a stranger's: from where, for the limits on attempts. */
export interface VisitorContext {
  database: Database;
  address: string | null;
}

/** The same account inside a transaction. */
export const inside = (tx: Tx, { accountId }: { accountId: string }): AccountScope => ({
  database: { db: tx },
  accountId,
});
