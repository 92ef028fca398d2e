import { expect, test } from 'vitest';
import { testDatabase } from '#server/testing/database.ts';
import { takeTokens } from './rate-buckets.ts';

const database = testDatabase();

test('an empty bucket fills again although the clock was set back, and then as fast as before', async () => {
  const bucket = { key: 'sends:acc_1', perSecond: 0.001, capacity: 3 };
  expect(await takeTokens(database, bucket, 3)).toEqual({ taken: true, tokens: 0 });
  expect((await takeTokens(database, bucket)).taken).toBe(false);
  await database.sql`update rate_buckets set updated_at = updated_at + interval '1 hour'`;
  expect((await takeTokens(database, bucket, 3)).taken).toBe(true);
  expect((await takeTokens(database, bucket)).taken).toBe(false);
});
