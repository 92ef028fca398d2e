import { eq } from 'drizzle-orm';
import type { SavedViews } from '#server/core/saved-views.ts';
import type { Db } from '#server/platform/db/client.ts';
import { accounts } from '#server/schema/index.ts';

export async function readViews(db: Db, params: { accountId: string }): Promise<SavedViews> {
  const [found] = await db
    .select({ views: accounts.savedViews })
    .from(accounts)
    .where(eq(accounts.id, params.accountId));
  return found?.views ?? {};
}

export async function writeViews(db: Db, params: { accountId: string; views: SavedViews }): Promise<void> {
  await db.update(accounts).set({ savedViews: params.views }).where(eq(accounts.id, params.accountId));
}
