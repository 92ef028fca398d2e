/** What decides a waiting message's turn. */
export interface Waiting {
  lane: 'plain' | 'async';
  recipient: string;
}

/** Every fourth slot begins with the async lane. */
const ASYNC_SLOT = 3;

/**
 * In which order messages leave that were admitted in the order given, as far as can be known now: plain ones
 * first, each fourth slot the async lane's, none before an earlier one to the same recipient (which then goes
 * with the plain ones). The worker's claim decides; this foretells it. `slots`: how many were claimed so far.
 */
export function queueOrder<W extends Waiting>(waiting: readonly W[], slots: number): W[] {
  const left = [...waiting];
  const order: W[] = [];
  for (let slot = slots; left.length > 0; slot++) {
    const asyncFirst = slot % (ASYNC_SLOT + 1) === ASYNC_SLOT;
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
