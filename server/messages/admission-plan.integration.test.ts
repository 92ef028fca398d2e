import { expect, test, vi } from 'vitest';
import type { Recipient } from '#server/core/recipient.ts';
import { makeAccount, makeNumber } from '#server/testing/domain.ts';
import { lockForAdmission } from './queries/admission.ts';

test('admissions on one connection plan their read only once', async () => {
  await using cleanup = new AsyncDisposableStack();
  // A process prepares a bounded number of statements, which the tests before this one may have used up.
  vi.resetModules();
  const { createTestDatabase } = await import('#server/testing/database.ts');
  const database = await createTestDatabase();
  cleanup.defer(() => database.drop());
  const { accountId } = await makeAccount(database);
  const numberId = await makeNumber(database, { accountId });
  const plans = await database.sql.begin(async (sql) => {
    for (let n = 0; n < 8; n += 1) {
      const row = await lockForAdmission(sql.db, {
        kind: 'text',
        ...{ accountId, numberId, keyId: null, recipient: '4915228817386@c.us' as Recipient },
        ...{ requestHash: String(n), webId: 'web_1', leftAgeMs: null },
      });
      expect(row?.network).toBe('sandbox');
    }
    return sql<{ generic: number; custom: number }[]>`
      select generic_plans::int as generic, custom_plans::int as custom from pg_prepared_statements
      where statement like '%repeatedMeanwhile%' and statement not like '%pg_prepared_statements%'`;
  });
  expect(plans).toEqual([{ generic: 8, custom: 0 }]);
});
