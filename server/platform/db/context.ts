import type { Actor } from '#server/core/actor.ts';
import type { Database, Db, Tx } from './client.ts';

/** The first argument of use cases that read an account's data. */
export interface AccountScope {
  /** The pool, or a transaction: {@link inside}. */
  database: { db: Db };
  accountId: string;
}

export interface ActorContext {
  database: Database;
  actor: Actor;
}

/** The first argument of use cases that change an account. A transport creates it once per request. */
export interface AccountContext extends ActorContext {
  accountId: string;
}

/** A signed-in user who changes their own sign-in, or the operator who does it for them. */
export interface UserContext extends ActorContext {
  userId: string;
}

/** For reads of a user's own sign-in. */
export interface UserScope {
  database: { db: Db };
  userId: string;
}

/** A request from someone who may not be signed in, with the address for the limits on attempts. */
export interface VisitorContext {
  database: Database;
  address: string | null;
}

/** One number, after its key or its account was checked. */
export interface NumberScope {
  database: Database;
  numberId: string;
}

/** {@link NumberScope} for reads that also run in a transaction: {@link insideNumber}. */
export interface NumberReadScope {
  /** The pool, or a transaction. */
  database: { db: Db };
  numberId: string;
}

/** A caller that sends with a key of the number, or from the dashboard (`keyId` is null). */
export interface SenderContext extends NumberScope {
  accountId: string;
  keyId: string | null;
}

/** All accounts, for the operator and administrators. The type refuses a context with an account. */
export interface InstallationScope {
  database: { db: Db };
  accountId?: never;
}

/** For background work over all accounts, and for work before the caller is known. */
export interface InstallationContext {
  database: Database;
}

/** The scope of an account within an open transaction, for use cases that read. */
export const inside = (tx: Tx, { accountId }: { accountId: string }): AccountScope => ({
  database: { db: tx },
  accountId,
});

/** The same for one number. */
export const insideNumber = (tx: Tx, { numberId }: { numberId: string }): NumberReadScope => ({
  database: { db: tx },
  numberId,
});
