import { afterAll, beforeAll, expect, test } from 'vitest';
import { stopClientBoss } from '#server/platform/queue/boss.ts';
import { createTestDatabase } from '#server/testing/database.ts';
import { makeAccount, makeNumber, queueMessage } from '#server/testing/domain.ts';
import { moveCosts } from './queries/links.ts';

let database: Awaited<ReturnType<typeof createTestDatabase>>;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(async () => {
  await stopClientBoss();
  await database.drop();
});

test('what a move expires is known before: how many messages of which account and number, and to whom', async () => {
  expect(await moveCosts(database.db)).toEqual({ waiting: 0, expiring: [], scheduled: 0, numbers: [] });
  const [heron, crane] = [await makeAccount(database), await makeAccount(database)];
  await database.sql`update accounts set name = case id when ${heron.accountId} then 'Heron' else 'Crane' end`;
  const parcels = { ...heron, numberId: await makeNumber(database, { ...heron, label: 'Parcels' }) };
  const returns = { ...crane, numberId: await makeNumber(database, { ...crane, label: 'Returns' }) };
  const to = (n: number) => `4915228817${300 + n}`;
  for (let n = 0; n < 22; n++)
    for (const _ of [1, 2]) await queueMessage(database, { ...parcels, recipient: `${to(n)}@c.us` });
  await queueMessage(database, { ...returns, recipient: '120363041234567890@g.us' });
  const scheduled = await queueMessage(database, returns);
  await database.sql`update messages set send_at = clock_timestamp() + interval '1 day' where id = ${scheduled}`;
  const sent = await queueMessage(database, returns);
  await database.sql`update messages set status = 'sending', wa_message_id = id where id = ${sent}`;

  expect(await moveCosts(database.db)).toEqual({
    waiting: 45,
    expiring: [
      {
        ...{ label: 'Parcels', phoneNumber: null, account: 'Heron', messages: 44 },
        ...{ to: Array.from({ length: 20 }, (_, n) => to(n)), others: 2 },
      },
      {
        ...{ label: 'Returns', phoneNumber: null, account: 'Crane', messages: 1 },
        ...{ to: ['120363041234567890@g.us'], others: 0 },
      },
    ],
    scheduled: 1,
    numbers: [],
  });
});
