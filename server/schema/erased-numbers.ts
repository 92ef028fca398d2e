import { pgTable, text } from 'drizzle-orm/pg-core';
import { createdAt } from './columns.ts';

/**
 * Numbers whose account was deleted. Every worker removes their profiles from its own disk, also one that was
 * stopped at the time. The numbers' own rows no longer exist.
 */
export const erasedNumbers = pgTable('erased_numbers', {
  numberId: text('number_id').primaryKey(),
  createdAt: createdAt(),
});
