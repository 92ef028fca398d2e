/** Every fourth slot goes to the async lane first, while both lanes wait: the last of four. */
export const ASYNC_EVERY = 4;

/** `sync`: the caller waits for the outcome; `async`: the caller asked for an immediate answer. */
export type Lane = 'sync' | 'async';

/** What decides a waiting message's turn. */
export interface Waiting {
  lane: Lane;
  recipient: string;
}

/**
 * The expected order of messages that were admitted in the order given: sync ones first, each fourth slot the
 * async lane's, none before an earlier one to the same recipient (which then counts as sync). The claim decides,
 * with the same rules in SQL (`server/messages/queries/slots.ts`). `slots`: how many were claimed so far.
 */
export function queueOrder<W extends Waiting>(waiting: readonly W[], slots: number): W[] {
  const left = [...waiting];
  const order: W[] = [];
  for (let slot = slots; left.length > 0; slot++) {
    const asyncFirst = slot % ASYNC_EVERY === ASYNC_EVERY - 1;
    const syncTo = new Set(left.filter(({ lane }) => lane === 'sync').map(({ recipient }) => recipient));
    const seen = new Set<string>();
    let picked = -1;
    for (const [at, { lane, recipient }] of left.entries()) {
      if (seen.has(recipient)) continue;
      seen.add(recipient);
      const isAsync = lane === 'async' && !syncTo.has(recipient);
      if (isAsync === asyncFirst) {
        picked = at;
        break;
      }
      if (picked === -1) picked = at;
    }
    order.push(...left.splice(picked, 1));
  }
  return order;
}

/** How many slots pass before a sync message with `syncAhead` before it, each fourth one going to async. */
export function slotsAhead(params: { syncAhead: number; asyncWaiting: number }): number {
  const asyncSlots = Math.min(params.asyncWaiting, Math.floor(params.syncAhead / (ASYNC_EVERY - 1)) + 1);
  return params.syncAhead + (params.asyncWaiting > 0 ? asyncSlots : 0);
}
