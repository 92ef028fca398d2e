/** Every fourth slot goes to the async lane first, while both lanes wait: the last of four. */
export const ASYNC_EVERY = 4;

/** What decides a waiting message's turn. */
export interface Waiting {
  lane: 'plain' | 'async';
  recipient: string;
}

/**
 * The expected order of messages that were admitted in the order given: plain ones first, each fourth slot the async
 * lane's, none before an earlier one to the same recipient (which then counts as plain). The claim decides, with the
 * same rules in SQL (`server/messages/queries/slots.ts`). `slots`: how many were claimed so far.
 */
export function queueOrder<W extends Waiting>(waiting: readonly W[], slots: number): W[] {
  const left = [...waiting];
  const order: W[] = [];
  for (let slot = slots; left.length > 0; slot++) {
    const asyncFirst = slot % ASYNC_EVERY === ASYNC_EVERY - 1;
    const plainTo = new Set(left.filter(({ lane }) => lane === 'plain').map(({ recipient }) => recipient));
    const seen = new Set<string>();
    let picked = -1;
    for (const [at, { lane, recipient }] of left.entries()) {
      if (seen.has(recipient)) continue;
      seen.add(recipient);
      const isAsync = lane === 'async' && !plainTo.has(recipient);
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

/** How many slots pass before a plain message with `plainAhead` before it, each fourth one going to async. */
export function slotsAhead(params: { plainAhead: number; asyncWaiting: number }): number {
  const asyncSlots = Math.min(params.asyncWaiting, Math.floor(params.plainAhead / (ASYNC_EVERY - 1)) + 1);
  return params.plainAhead + (params.asyncWaiting > 0 ? asyncSlots : 0);
}
