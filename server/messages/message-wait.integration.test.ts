import { expect, test } from 'vitest';
import { testDatabase } from '#server/testing/database.ts';
import { makeAccount, makeNumber, queueMessage } from '#server/testing/domain.ts';
import { getMessageDetail } from './get-message.ts';
import { waitedSeconds } from './waited-seconds.ts';

const database = testDatabase();

test('a message says how long it waited for its turn, since its scheduled time if it had one, and how many came first', async () => {
  const { accountId } = await makeAccount(database);
  const numberId = await makeNumber(database, { accountId });
  const otherNumber = await makeNumber(database, { accountId });
  const at = (seconds: number) => new Date(Date.UTC(2026, 10, 26, 10, 0, seconds));
  const message = async (turn: number | null, of = numberId) => {
    const id = await queueMessage(database, { accountId, numberId: of });
    const dispatched = turn === null ? null : at(turn);
    await database.sql`update messages set created_at = ${at(0)}, dispatched_at = ${dispatched} where id = ${id}`;
    return id;
  };
  const look = (messageId: string) => getMessageDetail({ database, accountId }, { messageId });
  for (const turn of [-2, 6, 14, 30]) await message(turn);
  await message(10, otherNumber);
  const messageId = await message(22);
  expect(await look(messageId)).toMatchObject({ waitedMs: 22_000, turnsBefore: 2, firstTurnMs: 6_000 });
  // The API says the same in X-Waited.
  expect(await waitedSeconds({ database, numberId }, { messageId })).toBe(22);
  await database.sql`update messages set send_at = ${at(10)} where id = ${messageId}`;
  expect(await look(messageId)).toMatchObject({ waitedMs: 12_000, turnsBefore: 1, firstTurnMs: 4_000 });
  expect(await look(await message(null))).toMatchObject({
    waitedMs: null,
    turnsBefore: 0,
    firstTurnMs: null,
  });
});
