import { setTimeout as delay } from 'node:timers/promises';
import { accountOfAnyNumber } from '#server/accounts/queries/number-accounts.ts';
import type { Db } from '#server/platform/db/client.ts';
import type { AccountScope } from '#server/platform/db/context.ts';
import {
  type AccountChange,
  type NumberChange,
  onAccountChange,
  onNumberChange,
} from '#server/platform/queue/changes.ts';

/**
 * What changed in an account since the last report. `newRefusals` implies `newRequests`; a message always adds its
 * number.
 */
export interface AccountChanges {
  numbers: string[];
  messages: string[];
  /** Requests were written to its log. */
  newRequests: boolean;
  /** Some of them were refused. */
  newRefusals: boolean;
  /**
   * Anything may have changed: the stream begins, the account itself changed, or the database's connection was
   * lost.
   */
  all: boolean;
}

/** Collects a burst of changes, so that open pages query the database once. */
const GATHER_MS = 100;

// A number never moves to another account, so the answer can be kept.
const accountOf = new Map<string, string | null>();
const REMEMBERED_MAX = 50_000;

/**
 * Follows an account until `signal` aborts: begins with `all`, then reports which of its numbers and messages
 * changed, and new requests.
 */
export async function* watchAccount(
  scope: AccountScope,
  signal: AbortSignal,
): AsyncGenerator<AccountChanges> {
  const { accountId } = scope;
  let pending = nothing();
  let wake = () => {};
  const note = (change: AccountChange | NumberChange) => {
    if (change.kind === 'resync' || change.kind === 'account') pending.all = true;
    if (change.kind === 'requests') {
      pending.newRequests = true;
      pending.newRefusals ||= change.refused;
    }
    if (change.kind === 'number') pending.numbers.add(change.numberId);
    if (change.kind === 'message') {
      pending.messages.set(change.messageId, change.numberId);
      // A number's queue changes with its messages.
      pending.numbers.add(change.numberId);
    }
    wake();
  };
  const stops: (() => void)[] = [];
  const abort = () => wake();
  signal.addEventListener('abort', abort);
  try {
    stops.push(await onAccountChange(accountId, note));
    stops.push(await onNumberChange(note));
    yield { numbers: [], messages: [], newRequests: false, newRefusals: false, all: true };
    while (!signal.aborted) {
      await new Promise<void>((resolve) => {
        wake = resolve;
        if (!isEmpty(pending) || signal.aborted) resolve();
      });
      if (!signal.aborted) await delay(GATHER_MS, undefined, { signal }).catch(() => {});
      if (signal.aborted) return;
      const taken = pending;
      pending = nothing();
      const changes = await ofAccount(scope, taken);
      if (changes) yield changes;
    }
  } finally {
    signal.removeEventListener('abort', abort);
    for (const stop of stops) stop();
  }
}

interface Pending {
  numbers: Set<string>;
  messages: Map<string, string>;
  newRequests: boolean;
  newRefusals: boolean;
  all: boolean;
}

function nothing(): Pending {
  return { numbers: new Set(), messages: new Map(), newRequests: false, newRefusals: false, all: false };
}

function isEmpty({ numbers, messages, newRequests, all }: Pending): boolean {
  return !all && !newRequests && numbers.size === 0 && messages.size === 0;
}

async function ofAccount(
  { database, accountId }: AccountScope,
  { numbers, messages, newRequests, newRefusals, all }: Pending,
): Promise<AccountChanges | null> {
  const own = new Set<string>();
  for (const numberId of numbers) {
    if ((await lookUp(database.db, numberId)) === accountId) own.add(numberId);
  }
  const changes: AccountChanges = {
    numbers: [...own],
    messages: [...messages].filter(([, numberId]) => own.has(numberId)).map(([messageId]) => messageId),
    newRequests,
    newRefusals,
    all,
  };
  return all || newRequests || changes.numbers.length > 0 ? changes : null;
}

async function lookUp(db: Db, numberId: string): Promise<string | null> {
  const known = accountOf.get(numberId);
  if (known !== undefined) return known;
  const found = await accountOfAnyNumber(db, { numberId });
  if (accountOf.size >= REMEMBERED_MAX) accountOf.clear();
  accountOf.set(numberId, found);
  return found;
}
