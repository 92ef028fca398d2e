import { sql } from 'drizzle-orm';
import type { Database } from './client.ts';

/**
 * Runs `work` for each item, also after it failed for another one, so that one statement that always fails keeps nothing
 * else from being done. Ends early if the database does not answer. Returns the errors.
 */
export async function runEach<T>(
  { db }: Database,
  items: Iterable<T>,
  work: (item: T) => Promise<void>,
): Promise<unknown[]> {
  const failures: unknown[] = [];
  for (const item of items) {
    try {
      await work(item);
    } catch (error) {
      failures.push(error);
      const answers = await db.run(sql`select 1`).then(
        () => true,
        () => false,
      );
      if (!answers) break;
    }
  }
  return failures;
}
