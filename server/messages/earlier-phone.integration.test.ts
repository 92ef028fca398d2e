import { expect, test } from 'vitest';
import { writeLinked } from '#server/numbers/queries/sessions.ts';
import { keepPhone, replacePhone } from '#server/numbers/replace-phone.ts';
import { testDatabase } from '#server/testing/database.ts';
import { CLI, linkAsWorker, makeAccount, makeNumber, queueMessage } from '#server/testing/domain.ts';
import { getMessageDetail } from './get-message.ts';

const database = testDatabase();

const [FIRST, SECOND, THIRD] = ['4915228810001', '4915228810002', '4915228810003'] as const;

test('a message names the phone that it was sent from, after each change of the number’s phone', async () => {
  const { accountId } = await makeAccount(database);
  const numberId = await makeNumber(database, { accountId, label: 'Shop' });
  const holding = await linkAsWorker(database, { numberId, phone: FIRST });
  const context = { database, accountId, actor: CLI };
  const send = async () => {
    const id = await queueMessage(database, { accountId, numberId });
    await database.sql`
      update messages set status = 'sending', wa_message_id = id, dispatched_at = clock_timestamp() where id = ${id}`;
    return id;
  };
  const change = async (phone: string) => {
    await replacePhone(context, { numberId, phone });
    await database.sql`update numbers set intent = 'link' where id = ${numberId}`;
    await writeLinked(database, holding, { phone });
  };
  const earlier = async (messageId: string) =>
    (await getMessageDetail({ database, accountId }, { messageId })).earlierPhone;

  const first = await send();
  expect(await earlier(first)).toBeNull();
  // A change that the owner takes back changes nothing.
  await replacePhone(context, { numberId, phone: THIRD });
  await keepPhone(context, { numberId });
  await change(SECOND);
  const [second, waiting] = [await send(), await queueMessage(database, { accountId, numberId })];
  await change(THIRD);
  const third = await send();
  expect(await Promise.all([first, second, third, waiting].map(earlier))).toEqual([
    { phone: FIRST },
    { phone: SECOND },
    null,
    // The change cancelled it.
    { phone: SECOND },
  ]);

  // Without an entry in the audit log it is known only that it was another phone.
  await database.sql`update numbers set linked_at = clock_timestamp() where id = ${numberId}`;
  expect(await earlier(third)).toEqual({ phone: null });
});
