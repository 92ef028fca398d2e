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

/** A user's own sign-in, to be read. */
export interface UserScope {
  database: { db: Db };
  userId: string;
}

/** A request that may be a stranger's: from where, for the limits on attempts. */
export interface VisitorContext {
  database: Database;
  address: string | null;
}

/** One number, where its key or its account was checked before. */
export interface NumberScope {
  database: Database;
  numberId: string;
}

/** A caller who sends: by a key of the number, or (null) from the dashboard. */
export interface SenderContext extends NumberScope {
  accountId: string;
  keyId: string | null;
}

/** All accounts, for the operator and administrators. What has an account is refused here, so that it does not read all. */
export interface InstallationScope {
  database: { db: Db };
  accountId?: never;
}

/** What processes do for all accounts, and what is done before it is known who asks. */
export interface InstallationContext {
  database: Database;
}

/** An account's scope inside a transaction. */
export const inside = (tx: Tx, { accountId }: { accountId: string }): AccountScope => ({
  database: { db: tx },
  accountId,
});
