import { afterAll, beforeAll, expect, test } from 'vitest';
import { setDatabase } from '#server/platform/db/client.ts';
import { createTestDatabase } from '#server/testing/database.ts';
import { CLI, makeAccount, makeNumber, queueMessage } from '#server/testing/domain.ts';
import { suspendAccount } from './suspend-account.ts';
import { watchAccount } from './watch-account.ts';

let database: Awaited<ReturnType<typeof createTestDatabase>>;
beforeAll(async () => {
  database = await createTestDatabase();
  setDatabase(database);
});
afterAll(() => database.drop());

function watch(accountId: string) {
  const end = new AbortController();
  const news = watchAccount({ database, accountId }, end.signal);
  return { news, end };
}

test('begins with everything, then reports only the account’s own numbers and messages', async () => {
  const mine = await makeAccount(database);
  const other = await makeAccount(database);
  const numberId = await makeNumber(database, mine);
  const foreign = await makeNumber(database, other);
  const { news, end } = watch(mine.accountId);
  expect((await news.next()).value).toEqual({ numbers: [], messages: [], all: true });

  await queueMessage(database, { ...other, numberId: foreign });
  const messageId = await queueMessage(database, { ...mine, numberId });
  expect((await news.next()).value).toEqual({ numbers: [numberId], messages: [messageId], all: false });

  await database.sql`update numbers set label = 'Theirs' where id = ${foreign}`;
  await database.sql`update numbers set label = 'Mine' where id = ${numberId}`;
  expect((await news.next()).value).toEqual({ numbers: [numberId], messages: [], all: false });
  end.abort();
  expect((await news.next()).done).toBe(true);
});

test('changes in a burst are reported together', async () => {
  const mine = await makeAccount(database);
  const numberId = await makeNumber(database, mine);
  const { news, end } = watch(mine.accountId);
  await news.next();
  const ids = await Promise.all(
    Array.from({ length: 20 }, () => queueMessage(database, { ...mine, numberId })),
  );
  const reported = new Set<string>();
  let rounds = 0;
  while (reported.size < ids.length) {
    const { value } = await news.next();
    for (const id of value?.messages ?? []) reported.add(id);
    rounds += 1;
  }
  expect(reported).toEqual(new Set(ids));
  expect(rounds).toBeLessThan(ids.length / 2);
  end.abort();
});

test('a number added while somebody watches is reported', async () => {
  const mine = await makeAccount(database);
  const { news, end } = watch(mine.accountId);
  await news.next();
  const numberId = await makeNumber(database, mine);
  expect((await news.next()).value?.numbers).toEqual([numberId]);
  end.abort();
});

test('a suspension is reported to an account without numbers, and to no other account', async () => {
  const mine = await makeAccount(database);
  const other = await makeAccount(database);
  const { news, end } = watch(mine.accountId);
  await news.next();
  await suspendAccount({ database, ...other, actor: CLI }, { suspended: true });
  const numberId = await makeNumber(database, mine);
  expect((await news.next()).value).toEqual({ numbers: [numberId], messages: [], all: false });
  await database.sql`delete from numbers where id = ${numberId}`;
  await suspendAccount({ database, ...mine, actor: CLI }, { suspended: true });
  expect((await news.next()).value).toEqual({ numbers: [], messages: [], all: true });
  await suspendAccount({ database, ...mine, actor: CLI }, { suspended: false });
  expect((await news.next()).value).toEqual({ numbers: [], messages: [], all: true });
  end.abort();
});
