import { beforeAll, expect, test } from 'vitest';
import { setDatabase } from '#server/platform/db/client.ts';
import { insertRequests } from '#server/requests/queries/requests.ts';
import { testDatabase } from '#server/testing/database.ts';
import { CLI, makeAccount, makeNumber, queueMessage } from '#server/testing/domain.ts';
import { suspendAccount } from './suspend-account.ts';
import { watchAccount } from './watch-account.ts';

const database = testDatabase();
beforeAll(() => setDatabase(database));
const NO_REQUESTS = { newRequests: false, newRefusals: false };

function watch(accountId: string) {
  const end = new AbortController();
  const changes = watchAccount({ database, accountId }, end.signal);
  return { changes, end };
}

test('begins with everything, then reports only the account’s own numbers and messages', async () => {
  const mine = await makeAccount(database);
  const other = await makeAccount(database);
  const numberId = await makeNumber(database, mine);
  const foreign = await makeNumber(database, other);
  const { changes, end } = watch(mine.accountId);
  expect((await changes.next()).value).toEqual({ numbers: [], messages: [], ...NO_REQUESTS, all: true });

  await queueMessage(database, { ...other, numberId: foreign });
  const messageId = await queueMessage(database, { ...mine, numberId });
  expect((await changes.next()).value).toEqual({
    numbers: [numberId],
    messages: [messageId],
    ...NO_REQUESTS,
    all: false,
  });

  await database.sql`update numbers set label = 'Theirs' where id = ${foreign}`;
  await database.sql`update numbers set label = 'Mine' where id = ${numberId}`;
  expect((await changes.next()).value).toEqual({
    numbers: [numberId],
    messages: [],
    ...NO_REQUESTS,
    all: false,
  });
  end.abort();
  expect((await changes.next()).done).toBe(true);
});

test('changes in a burst are reported together', async () => {
  const mine = await makeAccount(database);
  const numberId = await makeNumber(database, mine);
  const { changes, end } = watch(mine.accountId);
  await changes.next();
  const ids = await Promise.all(
    Array.from({ length: 20 }, () => queueMessage(database, { ...mine, numberId })),
  );
  const reported = new Set<string>();
  let rounds = 0;
  while (reported.size < ids.length) {
    const { value } = await changes.next();
    for (const id of value?.messages ?? []) reported.add(id);
    rounds += 1;
  }
  expect(reported).toEqual(new Set(ids));
  expect(rounds).toBeLessThan(ids.length / 2);
  end.abort();
});

test('a number added while somebody watches is reported', async () => {
  const mine = await makeAccount(database);
  const { changes, end } = watch(mine.accountId);
  await changes.next();
  const numberId = await makeNumber(database, mine);
  expect((await changes.next()).value?.numbers).toEqual([numberId]);
  end.abort();
});

test('a suspension is reported to an account without numbers, and to no other account', async () => {
  const mine = await makeAccount(database);
  const other = await makeAccount(database);
  const { changes, end } = watch(mine.accountId);
  await changes.next();
  await suspendAccount({ database, ...other, actor: CLI }, { suspended: true });
  const numberId = await makeNumber(database, mine);
  expect((await changes.next()).value).toEqual({
    numbers: [numberId],
    messages: [],
    ...NO_REQUESTS,
    all: false,
  });
  await database.sql`delete from numbers where id = ${numberId}`;
  await suspendAccount({ database, ...mine, actor: CLI }, { suspended: true });
  expect((await changes.next()).value).toEqual({ numbers: [], messages: [], ...NO_REQUESTS, all: true });
  await suspendAccount({ database, ...mine, actor: CLI }, { suspended: false });
  expect((await changes.next()).value).toEqual({ numbers: [], messages: [], ...NO_REQUESTS, all: true });
  end.abort();
});

test('requests that are logged are reported to their account, and whether any was refused', async () => {
  const mine = await makeAccount(database);
  const other = await makeAccount(database);
  const { changes, end } = watch(mine.accountId);
  await changes.next();
  const log = ({ accountId }: { accountId: string }, errorCode: string | null) => ({
    ...{
      accountId,
      numberId: null,
      keyId: null,
      at: new Date(),
      endpoint: 'GET /status',
      status: 200,
      errorCode,
    },
    ...{ requestId: 'r', durationMs: 1, messageId: null, reference: null, body: null, answer: null },
  });
  await insertRequests(database, [log(other, 'not_connected')]);
  await insertRequests(database, [log(mine, null), log(mine, null)]);
  const quiet = { numbers: [], messages: [], all: false };
  expect((await changes.next()).value).toEqual({ ...quiet, newRequests: true, newRefusals: false });
  await insertRequests(database, [log(mine, null), log(other, null), log(mine, 'not_connected')]);
  expect((await changes.next()).value).toEqual({ ...quiet, newRequests: true, newRefusals: true });
  end.abort();
});
