import { expect, test } from 'vitest';
import { testDatabase } from '#server/testing/database.ts';
import { makeAccount, makeNumber, queueMessage } from '#server/testing/domain.ts';
import { getMessageDetail } from './get-message.ts';
import { listMessages } from './list-messages.ts';

const database = testDatabase();

/** A new number, with ways to make messages on it and to see what is said about them. */
async function shop() {
  const { accountId } = await makeAccount(database);
  const numberId = await makeNumber(database, { accountId });
  const { sql } = database;
  const make = async (
    status: string,
    given: { body?: string; reference?: string; to?: string; of?: string } = {},
  ) => {
    const { body = 'Order 1 is ready.', to = '4915228817386@c.us', reference = null } = given;
    const content = { type: 'text', body } as const;
    const id = await queueMessage(database, {
      ...{ accountId, content, recipient: to },
      numberId: given.of ?? numberId,
    });
    if (status !== 'failed') await sql`update messages set status = 'sending' where id = ${id}`;
    await sql`update messages set status = ${status}, reference = ${reference} where id = ${id}`;
    return id;
  };
  const said = async (messageId: string) => {
    const scope = { database, accountId };
    const { laterSent } = await getMessageDetail(scope, { messageId });
    const { rows } = await listMessages(scope, { limit: 50 });
    expect(rows.find(({ id }) => id === messageId)?.laterSent).toEqual(laterSent);
    return laterSent;
  };
  return { make, said, accountId };
}

test('a message that failed names the later one to its recipient with the same content or reference that was sent', async () => {
  const { make, said } = await shop();
  const failed = await make('failed', { reference: 'order-1' });
  expect(await said(failed)).toBeNull();
  const changed = await make('delivered', { body: 'Order 1 is ready!', reference: 'order-1' });
  expect(await said(failed)).toEqual({ id: changed, same: 'reference' });
  const same = await make('sent', { reference: 'other' });
  expect(await said(failed)).toEqual({ id: same, same: 'content' });
  await database.sql`update messages set content = null where id = ${failed}`;
  expect(await said(failed)).toEqual({ id: changed, same: 'reference' });
});

test('no later message is named that was not sent, is to somebody else, or repeats another on a person’s order', async () => {
  const { make, said, accountId } = await shop();
  const earlier = await make('sent');
  const failed = await make('failed');
  await make('failed');
  await make('unknown');
  await make('sent', { to: '4915228817387@c.us' });
  await make('sent', { body: 'Order 2 is ready.' });
  await make('sent', { of: await makeNumber(database, { accountId }) });
  const repeat = await make('sent');
  await database.sql`update messages set repeats = ${failed} where id = ${repeat}`;
  const late = await make('sent');
  await database.sql`update messages set created_at = created_at + interval '25 hours' where id = ${late}`;
  expect(await said(failed)).toBeNull();
  expect(await said(earlier)).toBeNull();
});
