import { expect, test } from 'vitest';
import { createTestDatabase } from '#server/testing/database.ts';
import { runEach } from './run-each.ts';

test('each item has its turn although one fails, until the database does not answer', async () => {
  const database = await createTestDatabase();
  const done: number[] = [];
  const run = () =>
    runEach(database, [1, 2, 3], async (n) => {
      done.push(n);
      if (n < 3) throw new Error(`not ${n}`);
    });
  expect((await run()).map(String)).toEqual(['Error: not 1', 'Error: not 2']);
  await database.drop();
  expect((await run()).map(String)).toEqual(['Error: not 1']);
  expect(done).toEqual([1, 2, 3, 1]);
});
