/** How a customer's backend answers events: `late` after 10 s and `held` never, until an event has come twice. */
export type HookBehaviour = 'prompt' | 'slow' | 'late' | 'held' | 'silent';

/** A line of `<hook>.jsonl`: an event whose signature was verified, in the order of arrival. */
export interface ReceivedEvent {
  /** Its `webhook-id`. */
  id: string;
  body: string;
  /** ms since the epoch. */
  at: number;
}

/** `orders.json`: the backend posts this many messages, with the keys in turn. */
export interface OrderBook {
  url: string;
  keys: string[];
  orders: number;
}

/** A line of `taken.jsonl`: an order that was accepted as a message. */
export interface TakenOrder {
  order: string;
  messageId: string;
}
