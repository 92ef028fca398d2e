import { AsyncLocalStorage } from 'node:async_hooks';
import { singleton } from './singleton.ts';

/** Whose turn the work of a page's request uses: an account's, or that of a stranger's network. */
export interface PageTurn {
  of: string;
  /** The session cookie as sent, hashed; null without one. */
  session: string | null;
  signedIn: boolean;
}

const REMEMBERED_MAX = 50_000;

const storage = singleton('page-turn', () => new AsyncLocalStorage<PageTurn>());
/** The accounts of session cookies that were found valid, the latest last. */
const accounts = singleton('page-turn-accounts', () => new Map<string, string>());

/** The turn of a request: its account's, if its cookie was valid before. */
export function pageTurn(session: string | null, network: string): PageTurn {
  const account = session === null ? undefined : accounts().get(session);
  return { of: account ?? network, session, signedIn: account !== undefined };
}

export function runInTurn<T>(turn: PageTurn, work: () => T): T {
  return storage().run(turn, work);
}

/** For work that a request begins for everybody. */
export function inNoTurn<T>(work: () => T): T {
  return storage().exit(work);
}

/** Whose turn the caller's work uses; empty for what is no page. */
export const currentTurn = (): string => storage().getStore()?.of ?? '';

/** Notes that the session cookie of this request is valid. Its work and later requests use the account's turn. */
export function signedInAs(account: string): void {
  const turn = storage().getStore();
  if (!turn?.session) return;
  turn.of = account;
  accounts().delete(turn.session);
  accounts().set(turn.session, account);
  const [oldest] = accounts().keys();
  if (accounts().size > REMEMBERED_MAX && oldest !== undefined) accounts().delete(oldest);
}
