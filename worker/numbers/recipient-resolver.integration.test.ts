import { afterAll, beforeAll, expect, test } from 'vitest';
import { personOf } from '#server/core/recipient.ts';
import type { ClaimedMessage } from '#server/messages/queries/claim.ts';
import { createTestDatabase } from '#server/testing/database.ts';
import { makeAccount, makeNumber } from '#server/testing/domain.ts';
import { FOUND_MAX, RecipientResolver } from './dispatch/recipient-resolver.ts';

let database: Awaited<ReturnType<typeof createTestDatabase>>;
beforeAll(async () => {
  database = await createTestDatabase();
});
afterAll(() => database.drop());

test('a session remembers a limited number of people, the latest ones', async () => {
  const { accountId } = await makeAccount(database, 1);
  const numberId = await makeNumber(database, { accountId });
  const holding = { numberId, workerId: 'wrk_resolver', fence: 1 };
  let asked = 0;
  const resolver = new RecipientResolver({
    database,
    holding,
    session: {
      lookUp: async (digits) => personOf(digits),
      canAddress: async () => {
        asked += 1;
        return true;
      },
    },
    untilWritten: (work) => work(),
  });
  const person = (n: number) => `49170${String(n).padStart(7, '0')}`;
  const people = Array.from({ length: FOUND_MAX + 1 }, (_, n) => person(n));
  await database.sql`
    insert into look_ups (number_id, digits, found) select ${numberId}, unnest(${people}::text[]), true`;
  const resolve = async (n: number) => {
    const message = { id: `msg_${n}`, recipient: personOf(person(n)) } as ClaimedMessage;
    const { address, noted } = await resolver.resolve(message);
    expect(address).toBe(personOf(person(n)));
    await noted;
  };
  for (let n = 0; n <= FOUND_MAX; n++) await resolve(n);
  expect(asked).toBe(FOUND_MAX + 1);
  for (let n = FOUND_MAX; n > 0; n--) await resolve(n);
  expect(asked).toBe(FOUND_MAX + 1);
  await resolve(0);
  expect(asked).toBe(FOUND_MAX + 2);
});
