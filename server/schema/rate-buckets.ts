import { doublePrecision, pgTable, text } from 'drizzle-orm/pg-core';
import { instant } from './columns.ts';

/** Token buckets of the rate limits, shared by all web processes. */
export const rateBuckets = pgTable('rate_buckets', {
  /** `sends:acc_…`, `reads:acc_…`, `changes:acc_…`, `changes:usr_…`, `bad-keys:<address block>`, `sign-in:<hash>`, `pairing:<hash>:<place>` */
  key: text('key').primaryKey(),
  tokens: doublePrecision('tokens').notNull(),
  updatedAt: instant('updated_at').notNull(),
});
