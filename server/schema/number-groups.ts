import { jsonb, pgTable, text } from 'drizzle-orm/pg-core';
import type { Group } from '#server/core/engine.ts';
import { instant } from './columns.ts';
import { ofNumber } from './numbers.ts';

/**
 * A number's groups, as a worker listed them when its owner last asked. A trigger notifies both of each change.
 */
export const numberGroups = pgTable('number_groups', {
  numberId: ofNumber().primaryKey(),
  askedAt: instant('asked_at').notNull(),
  /** Null while the worker has not answered. */
  answeredAt: instant('answered_at'),
  /** Null before the first answer. */
  groups: jsonb('groups').$type<Group[]>(),
  /** Why the last request failed, as a sentence for its owner. */
  error: text('error'),
});
