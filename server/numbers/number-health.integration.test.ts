import { expect, test } from 'vitest';
import { testDatabase } from '#server/testing/database.ts';
import { CLI, linkAsWorker, makeAccount, makeNumber, queueMessage } from '#server/testing/domain.ts';
import { numberHealth } from './number-health.ts';
import { writeLinked } from './queries/sessions.ts';
import { replacePhone } from './replace-phone.ts';

const database = testDatabase();

test('a number’s health counts only what was sent since its phone number was changed', async () => {
  const { accountId } = await makeAccount(database);
  const numberId = await makeNumber(database, { accountId });
  const holding = await linkAsWorker(database, { numberId, phone: '4915228810001' });
  const failed = async () => {
    const id = await queueMessage(database, { accountId, numberId });
    await database.sql`update messages set status = 'failed', dispatched_at = clock_timestamp() where id = ${id}`;
  };
  const lately = async () => (await numberHealth({ database, accountId }, { numberId })).lately;
  await failed();
  await failed();
  expect(await lately()).toMatchObject({ messages: 2, notTaken: 2, people: 1 });

  // Linking the same phone number again changes nothing.
  await writeLinked(database, holding, { phone: '4915228810001' });
  expect(await lately()).toMatchObject({ messages: 2, notTaken: 2, people: 1 });

  await replacePhone({ database, accountId, actor: CLI }, { numberId, phone: '4915228810002' });
  await writeLinked(database, holding, { phone: '4915228810002' });
  expect(await lately()).toEqual({ messages: 0, notTaken: 0, people: 0, newPeople: 0 });
  await failed();
  expect(await lately()).toMatchObject({ messages: 1, notTaken: 1, people: 1 });
});
