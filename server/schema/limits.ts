import { doublePrecision, index, integer, pgTable, text } from 'drizzle-orm/pg-core';
import { createdAt, instant } from './columns.ts';

/** Token buckets, shared by all web processes. */
export const rateBuckets = pgTable('rate_buckets', {
  /** `sends:acc_…`, `reads:acc_…`, `bad-keys:<address block>`, `sign-in:<hash>` */
  key: text('key').primaryKey(),
  tokens: doublePrecision('tokens').notNull(),
  updatedAt: instant('updated_at').notNull(),
});

/** Attempts to sign in and the like, whose waits grow; of names and addresses a hash alone. */
export const attempts = pgTable(
  'attempts',
  {
    key: text('key').primaryKey(),
    count: integer('count').notNull(),
    /** No further attempt is taken before. */
    waitUntil: instant('wait_until').notNull(),
    updatedAt: instant('updated_at').notNull(),
  },
  // What is forgotten, and which go first when there are too many.
  (t) => [index('attempts_updated').on(t.updatedAt)],
);

/** Facts of the installation: one-time links (hashed), first start, what the operator writes on how to pay. */
export const installation = pgTable('installation', {
  key: text('key').primaryKey(),
  value: text('value').notNull(),
  createdAt: createdAt(),
});
