import { ANNOUNCED_STATUSES } from '../message-state.ts';

/** What an endpoint can subscribe to. The database writes these events itself (`drizzle/triggers.sql`). */
export const EVENT_TYPES = [
  ...ANNOUNCED_STATUSES.map((status) => `message.${status}` as const),
  'number.status',
] as const;
export type EventType = (typeof EVENT_TYPES)[number];
