import { eq } from 'drizzle-orm';
import type { Db } from '#server/platform/db/client.ts';
import { numbers } from '#server/schema/index.ts';

/**
 * The account that a number belongs or belonged to; null when there is no such number. Only for routing changes to
 * the open pages of that account; never shown.
 */
export async function accountOfAnyNumber(db: Db, params: { numberId: string }): Promise<string | null> {
  const [found] = await db
    .select({ accountId: numbers.accountId })
    .from(numbers)
    .where(eq(numbers.id, params.numberId));
  return found?.accountId ?? null;
}
