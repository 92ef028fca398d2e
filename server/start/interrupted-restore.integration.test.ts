import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { emptyForRestore, whileNoOtherRestores } from '#server/platform/db/empty-for-restore.ts';
import { migrate } from '#server/platform/db/migrate.ts';
import { createTestDatabase } from '#server/testing/database.ts';
import { makeAccount } from '#server/testing/domain.ts';
import { readyDatabase } from './ready-database.ts';

let database: Awaited<ReturnType<typeof createTestDatabase>>;
beforeEach(async () => {
  database = await createTestDatabase();
});
afterEach(() => database.drop());

const ready = () =>
  readyDatabase({
    url: database.url,
    place: null,
    dataDir: path.join(os.tmpdir(), 'wirebird-no-data'),
    anySecrets: true,
  });
/** As a restore that was killed: the earlier contents have other names, and the new schema is empty. */
const interruptRestore = () => emptyForRestore(database.url, { silenceMs: 1, refuse: () => {} });
const accounts = async () =>
  (await database.sql<{ id: string }[]>`select id from accounts`).map(({ id }) => id);

test.each([
  ['before the new schema was made', async () => {}],
  ['before the backup was loaded', () => migrate(database.url)],
])('a start after a restore that was interrupted %s has the earlier contents', async (_, until) => {
  const { accountId } = await makeAccount(database);
  await interruptRestore();
  await until();
  await ready();
  expect(await accounts()).toEqual([accountId]);
});

test('what was stored after an interrupted restore is not replaced', async () => {
  await makeAccount(database);
  await interruptRestore();
  await migrate(database.url);
  const { accountId } = await makeAccount(database);
  await ready();
  expect(await accounts()).toEqual([accountId]);
  // Nor by what a later restore puts back.
  const contents = await interruptRestore();
  await contents.putBack();
  expect(await accounts()).toEqual([accountId]);
});

test('a start after a restore that was interrupted once it had committed deletes what was replaced', async () => {
  await makeAccount(database);
  const contents = await interruptRestore();
  await migrate(database.url);
  const { accountId } = await makeAccount(database);
  await database.db.transaction((tx) => contents.markReplaced(tx));
  await ready();
  expect(await accounts()).toEqual([accountId]);
  expect(await database.sql`select from pg_namespace where nspname like '%before_restore'`).toEqual([]);
  // A later restore that is interrupted is not taken for this one.
  await interruptRestore();
  await ready();
  expect(await accounts()).toEqual([accountId]);
});

test('nothing starts, and nothing is put back, while a restore runs', async () => {
  const { accountId } = await makeAccount(database);
  const contents = await interruptRestore();
  await whileNoOtherRestores(database.url, async () => {
    await expect(ready()).rejects.toThrow(
      / is running\. Nothing was changed\. Wait until it has finished, then try again\.$/,
    );
    await contents.putBack();
  });
  expect(await accounts()).toEqual([accountId]);
});
