import { cleanLine } from '#server/core/clean-line.ts';
import { AppError } from '#server/core/errors.ts';
import { notFound } from '#server/core/not-found.ts';
import { type SavedView, VIEWS_MAX, type ViewList, withoutView, withView } from '#server/core/saved-views.ts';
import type { AccountScope } from '#server/platform/db/context.ts';
import { lockAccount } from './queries/accounts.ts';
import { readViews, writeViews } from './queries/saved-views.ts';

/** The saved views of a list, by name. All members of the account share them. */
export async function savedViews(
  { database, accountId }: AccountScope,
  { list }: { list: ViewList },
): Promise<SavedView[]> {
  return (await readViews(database.db, { accountId }))[list] ?? [];
}

/**
 * Saves a view, or replaces the one of the same name. Returns the list's views. Throws `invalid_parameters` for an
 * empty name or one view too many, `not_found`.
 */
export async function saveView(
  scope: AccountScope,
  { list, name: given, query }: { list: ViewList } & SavedView,
): Promise<SavedView[]> {
  const name = cleanLine('The name of the view', given);
  if (name === '') throw new AppError('invalid_parameters', 'Enter a name for the view.');
  return change(scope, list, (views) => {
    const next = withView(views, { name, query: query.toWellFormed() });
    if (next.length > VIEWS_MAX)
      throw new AppError('invalid_parameters', `There are ${VIEWS_MAX} views. Delete one first.`);
    return next;
  });
}

/** Deletes a view, if there is one of this name. Returns the list's views. Throws `not_found`. */
export async function deleteView(
  scope: AccountScope,
  { list, name }: { list: ViewList; name: string },
): Promise<SavedView[]> {
  return change(scope, list, (views) => withoutView(views, { name }));
}

async function change(
  { database, accountId }: AccountScope,
  list: ViewList,
  make: (views: SavedView[]) => SavedView[],
): Promise<SavedView[]> {
  return database.db.transaction(async (tx) => {
    if (!(await lockAccount(tx, { accountId }))) throw notFound('account');
    const all = await readViews(tx, { accountId });
    const views = make(all[list] ?? []);
    await writeViews(tx, { accountId, views: { ...all, [list]: views } });
    return views;
  });
}
