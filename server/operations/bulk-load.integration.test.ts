import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { stopClientBoss } from '#server/platform/queue/boss.ts';
import { createTestDatabase } from '#server/testing/database.ts';
import { makeAccount, makeNumber, queueMessage } from '#server/testing/domain.ts';
import { sqlOver } from '#server/testing/sql.ts';
import { backUp } from './back-up.ts';
import { restore } from './restore.ts';

type TestDatabase = Awaited<ReturnType<typeof createTestDatabase>>;
let from: TestDatabase;
let to: TestDatabase;
let directory: string;
beforeAll(async () => {
  [from, to] = await Promise.all([createTestDatabase(), createTestDatabase()]);
  directory = await mkdtemp(path.join(os.tmpdir(), 'wirebird-bulk-'));
});
afterAll(async () => {
  await stopClientBoss();
  await Promise.all([from.drop(), to.drop()]);
  await rm(directory, { recursive: true, force: true });
});

/** Everything that the database does with each row of a table. */
async function ofEachRow({ sql }: TestDatabase) {
  return {
    indexes: await sql`select indexname, indexdef from pg_indexes where schemaname = 'public' order by 1`,
    constraints: await sql`
      select conrelid::regclass::text as of, conname, pg_get_constraintdef(oid) as definition, convalidated
      from pg_constraint where connamespace = 'public'::regnamespace order by 1, 2`,
    triggers: await sql`
      select tgrelid::regclass::text as of, tgname, tgenabled from pg_trigger where not tgisinternal order by 1, 2`,
  };
}

test('a restore announces no restored message, and the tables have every index, constraint and trigger again', async () => {
  const { accountId } = await makeAccount(from);
  const numberId = await makeNumber(from, { accountId });
  const restored = await queueMessage(from, { accountId, numberId });
  await from.sql`update messages set status = 'sending' where id = ${restored}`;
  await from.sql`update messages set status = 'sent', settled_at = clock_timestamp() where id = ${restored}`;
  const before = await ofEachRow(to);
  expect(before.triggers.map(({ tgname }) => tgname)).toContain('messages_tell_new');
  const heard: string[] = [];
  const { unlisten } = await to.pool.listen(`wirebird_account_${accountId}`, (news) => heard.push(news));

  const file = path.join(directory, 'backup.gz');
  await backUp({ database: from }, { file });
  await restore({ database: to }, { file, otherSecrets: false });

  const later = await queueMessage(to, { accountId, numberId });
  await vi.waitFor(() => expect(heard).toContain(`message ${later} ${numberId}`));
  expect(heard.filter((news) => news.includes(restored))).toEqual([]);
  expect(await ofEachRow(to)).toEqual(before);
  await unlisten();
});

test('no statement of a backup or a restore is cancelled because it takes long', async () => {
  const limits = await to.pool.beginLong(
    (tx) => sqlOver(tx)`select current_setting('statement_timeout') as statement,
      current_setting('idle_in_transaction_session_timeout') as idle`,
  );
  expect(limits).toEqual([{ statement: '0', idle: '0' }]);
  const usual = await to.sql`select current_setting('statement_timeout') as statement`;
  expect(usual).toEqual([{ statement: '10s' }]);
});
