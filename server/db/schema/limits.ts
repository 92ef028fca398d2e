import { doublePrecision, pgTable, text } from 'drizzle-orm/pg-core';
import { createdAt, instant } from './columns.ts';

/** Token buckets, shared by all web processes. */
export const rateBuckets = pgTable('rate_buckets', {
  /** `sends:acc_…`, `reads:acc_…`, `bad-keys:<address>`, `sign-in:<hash>` */
  key: text('key').primaryKey(),
  tokens: doublePrecision('tokens').notNull(),
  updatedAt: instant('updated_at').notNull(),
});

/** Facts of the installation: one-time links (hashed), first start, what the operator writes on how to pay. */
export const installation = pgTable('installation', {
  key: text('key').primaryKey(),
  value: text('value').notNull(),
  createdAt: createdAt(),
});
