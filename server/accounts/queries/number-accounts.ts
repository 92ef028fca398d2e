import { eq } from 'drizzle-orm';
import type { Db } from '#server/platform/db/client.ts';
import { numbers } from '#server/schema/index.ts';

/**
 * The account that a number belongs or belonged to; null when there is no such number. For routing news to
 * those who follow the account: never shown to anybody.
 */
export async function accountOfAnyNumber(db: Db, params: { numberId: string }): Promise<string | null> {
  const [found] = await db
    .select({ accountId: numbers.accountId })
    .from(numbers)
    .where(eq(numbers.id, params.numberId));
  return found?.accountId ?? null;
}
