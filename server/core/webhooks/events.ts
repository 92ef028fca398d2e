import type { MessageStatus } from '../message-state.ts';

/** The states of a message that are announced. `queued` and `sending` are not: their sender has the answer to the request. */
export const ANNOUNCED_STATUSES = [
  'sent',
  'delivered',
  'read',
  'failed',
  'unknown',
  'expired',
  'cancelled',
] as const satisfies readonly MessageStatus[];

/** What an endpoint can subscribe to. The database writes these events itself (a trigger, see `drizzle/`). */
export const EVENT_TYPES = [
  ...ANNOUNCED_STATUSES.map((status) => `message.${status}` as const),
  'number.status',
] as const;
export type EventType = (typeof EVENT_TYPES)[number];
