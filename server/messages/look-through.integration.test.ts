import { expect, test } from 'vitest';
import { testDatabase } from '#server/testing/database.ts';
import { makeAccount, makeNumber, queueMessage } from '#server/testing/domain.ts';
import { listMessages } from './list-messages.ts';
import { cancelWaiting } from './queries/cancel-waiting.ts';

const database = testDatabase();

test('a filter without an index looks through a limited number of messages per page, and finds all matches', async () => {
  const { accountId } = await makeAccount(database, 0);
  const number = { accountId, numberId: await makeNumber(database, { accountId }) };
  const other = { ...number, numberId: await makeNumber(database, number) };
  const sought: string[] = [];
  for (let n = 0; n < 12; n++) {
    const of = n % 2 === 0 ? number : other;
    const body = n % 5 === 0 ? `A heron, ${n}` : `A plover, ${n}`;
    const id = await queueMessage(database, { ...of, content: { type: 'text', body } });
    if (n % 5 === 0) sought.unshift(id);
  }
  // Several with the same time: a page ends between two of them neither twice nor never.
  await database.sql`
    update messages set created_at = date_trunc('minute', created_at) where account_id = ${number.accountId} and seq % 3 = 0`;
  const pages = async (filter: Partial<Parameters<typeof listMessages>[1]>, lookThrough: number) => {
    const found: string[] = [];
    let count = 0;
    for (let before: number | undefined; ; ) {
      const { rows, next, lookedBackTo } = await listMessages(
        { database, ...number },
        { ...filter, before, limit: 10, lookThrough },
      );
      count += 1;
      found.push(...rows.map(({ id }) => id));
      expect(lookedBackTo !== undefined).toBe(next !== null);
      if (next === null) return { count, found: new Set(found), rows: found.length };
      before = next;
    }
  };
  for (const lookThrough of [1, 2, 5]) {
    const all = await pages({ search: 'heron' }, lookThrough);
    expect(all).toMatchObject({ found: new Set(sought), rows: sought.length });
    expect(all.count).toBeGreaterThan(2);
    const ofNumber = await pages({ search: 'heron', numberId: number.numberId }, lookThrough);
    expect(ofNumber.rows).toBe(2);
    expect((await pages({ search: 'kingfisher' }, lookThrough)).rows).toBe(0);
  }
  // Enough for one page.
  expect((await pages({ search: 'heron' }, 100)).count).toBe(1);
  // A state has an index, and is found at once.
  await cancelWaiting(database.db, { ...other, errorCode: 'cancelled_by_person' });
  expect(await pages({ status: 'cancelled' }, 1)).toMatchObject({ count: 1, rows: 6 });
  expect(await pages({ status: 'queued', type: 'text' }, 1)).toMatchObject({ count: 1, rows: 6 });
});
