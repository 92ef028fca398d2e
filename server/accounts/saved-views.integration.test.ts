import { expect, test } from 'vitest';
import { VIEWS_MAX } from '#server/core/saved-views.ts';
import { testDatabase } from '#server/testing/database.ts';
import { makeAccount } from '#server/testing/domain.ts';
import { deleteView, savedViews, saveView } from './saved-views.ts';

const database = testDatabase();

test('views belong to the account and to a list; one of the same name is replaced, and they are in order', async () => {
  const [scope, other] = [await makeAccount(database), await makeAccount(database)].map(({ accountId }) => ({
    database,
    accountId,
  }));
  if (!scope || !other) throw new Error('no accounts');
  const list = 'messages' as const;
  await saveView(scope, { list, name: 'b', query: 'status=failed' });
  await saveView(scope, { list, name: ' A ', query: '' });
  await saveView(scope, { list: 'requests', name: 'c', query: 'refused=true' });
  expect(await saveView(scope, { list, name: 'b', query: 'status=unknown' })).toEqual([
    { name: 'A', query: '' },
    { name: 'b', query: 'status=unknown' },
  ]);
  expect(await savedViews(other, { list })).toEqual([]);
  expect(await deleteView(scope, { list, name: 'A' })).toEqual([{ name: 'b', query: 'status=unknown' }]);
  expect(await savedViews(scope, { list })).toHaveLength(1);
  expect(await savedViews(scope, { list: 'requests' })).toEqual([{ name: 'c', query: 'refused=true' }]);
});

test('views that are saved at once are all kept, up to the limit', async () => {
  const { accountId } = await makeAccount(database);
  const scope = { database, accountId };
  const save = (name: string) => saveView(scope, { list: 'requests', name, query: 'x=1' });
  await Promise.all(Array.from({ length: VIEWS_MAX }, (_, at) => save(`view ${at}`)));
  expect(await savedViews(scope, { list: 'requests' })).toHaveLength(VIEWS_MAX);
  await expect(save('one more')).rejects.toMatchObject({ code: 'invalid_parameters' });
  expect(await save('view 1')).toHaveLength(VIEWS_MAX);
  await expect(save('  ')).rejects.toMatchObject({ code: 'invalid_parameters' });
});
