import { expect, test } from 'vitest';
import { testDatabase } from '#server/testing/database.ts';
import { CLI, linkAsWorker, makeAccount, makeNumber, queueMessage } from '#server/testing/domain.ts';
import { cancelledLately } from './cancelled-lately.ts';
import { writeLinked } from './queries/sessions.ts';
import { replacePhone } from './replace-phone.ts';
import { unlinkNumber } from './unlink-number.ts';

const database = testDatabase();

const [FIRST, SECOND] = ['4915228810001', '4915228810002'] as const;

async function linked(waiting: number) {
  const { accountId } = await makeAccount(database);
  const numberId = await makeNumber(database, { accountId });
  const holding = await linkAsWorker(database, { numberId, phone: FIRST });
  for (let n = 0; n < waiting; n++) await queueMessage(database, { accountId, numberId });
  const context = { database, accountId, actor: CLI };
  return { context, numberId, holding, lately: () => cancelledLately(context, { numberId }) };
}

test('what a change of the phone number cancelled is known while it is changed and for 7 days afterwards', async () => {
  const { context, numberId, holding, lately } = await linked(3);
  expect(await lately()).toEqual({ count: 0, oldest: null, changed: false });
  await replacePhone(context, { numberId, phone: SECOND });
  expect(await lately()).toEqual({ count: 3, oldest: expect.any(Date), changed: true });
  await writeLinked(database, holding, { phone: SECOND });
  expect(await lately()).toMatchObject({ count: 3, changed: true });
  await database.sql`
    update messages set settled_at = settled_at - interval '7 days' where number_id = ${numberId}`;
  expect(await lately()).toMatchObject({ count: 0, oldest: null });
});

test('what an unlinking cancelled is known too, and not taken for a change of the phone number', async () => {
  const { context, numberId, holding, lately } = await linked(2);
  await unlinkNumber(context, { numberId });
  await writeLinked(database, holding, { phone: FIRST });
  expect(await lately()).toMatchObject({ count: 2, changed: false });
});

test('it is asked for by the account of the number only', async () => {
  const { numberId } = await linked(1);
  const { accountId } = await makeAccount(database);
  await expect(cancelledLately({ database, accountId }, { numberId })).rejects.toMatchObject({
    code: 'not_found',
  });
});
