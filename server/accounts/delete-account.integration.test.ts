import { describe, expect, test, vi } from 'vitest';
import { keepPhone, replacePhone } from '#server/numbers/replace-phone.ts';
import { suspendNumber } from '#server/numbers/suspend-number.ts';
import { invite, joinAccount } from '#server/people/invitations.ts';
import { noticeAttempts } from '#server/people/notice-attempts.ts';
import { insertMember } from '#server/people/queries/members.ts';
import { requestPlan } from '#server/plans/request-plan.ts';
import { testDatabase } from '#server/testing/database.ts';
import { dumpAsText } from '#server/testing/database-dump.ts';
import { CLI, linkAsWorker, makeAccount, makeNumber } from '#server/testing/domain.ts';
import { createEndpoint } from '#server/webhooks/endpoints.ts';
import { renameAccount } from './account-settings.ts';
import { audit } from './audit.ts';
import { deleteAccount, removeDeletedAccounts } from './delete-account.ts';
import { exportAccount } from './export-account.ts';
import { setRetention } from './retention.ts';

const WITHIN_MS = 15_000;

const database = testDatabase();

test('deleted accounts are removed however long that takes, and one that cannot be removed does not keep the others', async () => {
  const { sql } = database;
  const accountIds: string[] = [];
  for (let n = 0; n < 3; n++) accountIds.push((await makeAccount(database)).accountId);
  const [stuck = ''] = accountIds;
  for (const accountId of accountIds)
    await deleteAccount({ database, accountId, actor: CLI }, { accountName: null });
  await sql.unsafe(`
    create function refuse_stuck() returns trigger language plpgsql as $$ begin
      if old.id = '${stuck}' then raise 'stuck'; end if;
      if current_setting('statement_timeout') <> '0' then raise 'may not take long'; end if;
      return old;
    end $$;
    create trigger refuse_stuck before delete on accounts for each row execute function refuse_stuck()`);
  const left = () => sql<{ id: string }[]>`select id from accounts where id = any(${accountIds})`;
  try {
    await expect(removeDeletedAccounts({ database })).rejects.toThrow('stuck');
    expect(await left()).toEqual([{ id: stuck }]);
  } finally {
    await sql.unsafe('drop trigger refuse_stuck on accounts');
  }
  expect(await removeDeletedAccounts({ database })).toBe(1);
  expect(await left()).toEqual([]);
});

test('no key, number or account that is removed is looked for in all messages', async () => {
  const without = await database.sql`
    select a.attname as column from pg_constraint c join pg_attribute a on a.attrelid = c.conrelid and a.attnum = c.conkey[1]
    where c.contype = 'f' and c.conrelid = 'messages'::regclass and not exists (
      select from pg_index i where i.indrelid = c.conrelid and i.indkey[0] = a.attnum
        and coalesce(pg_get_expr(i.indpred, i.indrelid), '') in ('', format('(%I IS NOT NULL)', a.attname)))`;
  expect(without).toEqual([]);
});

test('the audit log of a deleted account keeps what was done and the figures, and no phone number, URL or other text', async () => {
  const { accountId } = await makeAccount(database);
  const numberId = await makeNumber(database, { accountId });
  const context = { database, accountId, actor: CLI };
  const bystander = await makeAccount(database);
  await linkAsWorker(database, { numberId, phone: '4915112345601' });
  await replacePhone(context, { numberId, phone: '4915112345602' });
  await keepPhone(context, { numberId });
  await suspendNumber(context, { numberId, reason: 'Ben Plover asked for it' });
  await createEndpoint(context, { numberId, url: 'https://example.com/hooks/a-token' });
  for (const one of [context, { ...context, accountId: bystander.accountId }])
    await audit(database.db, {
      ...one,
      action: 'webhook.delete',
      target: null,
      detail: { url: 'https://left', events: 2 },
    });
  const actions = () => database.sql<{ action: string }[]>`
    select action from audit_log where account_id = ${accountId} and action not like 'account.%' order by id`;
  const before = await actions();
  await deleteAccount(context, { accountName: null });
  const dump = await dumpAsText(database);
  const log = dump
    .split('\n')
    .filter((line) => line.startsWith('public.audit_log') && line.includes(accountId));
  for (const trace of ['4915112345601', '4915112345602', 'Ben Plover', 'a-token', 'https://left'])
    expect(log.join('\n').includes(trace), trace).toBe(false);
  expect(await actions()).toEqual(before);
  const [kept] = await database.sql`
    select (select detail from audit_log where account_id = ${accountId} and action = 'webhook.delete') as theirs,
      (select detail from audit_log where account_id = ${bystander.accountId} and action = 'webhook.delete') as others`;
  expect(kept).toEqual({ theirs: { events: 2 }, others: { url: 'https://left', events: 2 } });
});

test('the addresses from which others tried to sign in as its users are erased with the account', async () => {
  const { accountId, email } = await makeAccount(database, 0);
  const bystander = await makeAccount(database, 0);
  const notice = (of: { email: string }, address: string) =>
    noticeAttempts({ database }, { email: of.email, at: 'password', address, mailer: null });
  await notice({ email }, '203.0.113.81');
  await notice(bystander, '203.0.113.82');
  expect(await dumpAsText(database)).toContain('203.0.113.81');
  await deleteAccount({ database, accountId, actor: CLI }, { accountName: null });
  const dump = await dumpAsText(database);
  expect(dump).not.toContain('203.0.113.81');
  expect(dump).toContain('203.0.113.82');
});

describe('while an account is deleted', () => {
  test('a change whose session was checked before is refused, and its person is not named in the audit log', async () => {
    const { accountId, userId } = await makeAccount(database);
    const address = '203.0.113.77';
    const begun = { database, accountId, actor: { kind: 'user', userId, address } } as const;
    const days = { textRetentionDays: 1, metadataRetentionDays: 1 };
    const { parts } = await exportAccount(begun);
    await deleteAccount({ database, accountId, actor: CLI }, { accountName: null });
    const late = await Promise.allSettled([
      parts.next(),
      renameAccount(begun, { name: 'A name that was erased' }),
      requestPlan(begun, { numbers: 1, contact: 'Ann Heron', note: '' }),
      exportAccount(begun),
    ]);
    for (const one of late) expect(one).toMatchObject({ reason: { code: 'not_found' } });
    // This one changes only its own row.
    await setRetention(begun, days);
    await removeDeletedAccounts({ database });
    const dump = await dumpAsText(database);
    for (const trace of [address, 'A name that was erased', 'Ann Heron'])
      expect(dump.includes(trace), trace).toBe(false);
    const actors = dump.split('\n').filter((line) => line.startsWith('public.audit_actors'));
    expect(actors.filter((line) => line.includes(userId))).toEqual([]);
  });

  test('nobody joins it', async () => {
    const people = await Promise.all(
      [1, 2, 3, 4, 5].map(async () => (await makeAccount(database, 0)).userId),
    );
    for (let round = 0; round < 20; round++) {
      const { accountId } = await makeAccount(database, 0);
      const account = { database, accountId, actor: CLI };
      const joins = people.map(async (userId, i) => {
        const { link } = await invite(account, { role: 'member', note: '' });
        const token = new URL(link).hash.slice(1);
        return () => joinAccount({ database, userId, address: `192.0.2.${round * 8 + i}` }, { token });
      });
      const begin = await Promise.all(joins);
      await Promise.allSettled([
        ...begin.map((join) => join()),
        deleteAccount(account, { accountName: null }),
      ]);
      expect(await database.sql`select from memberships where account_id = ${accountId}`).toEqual([]);
    }
  });

  test('a member who joins another account at that moment stays a user', async () => {
    const { accountId, userId } = await makeAccount(database, 0);
    const other = await makeAccount(database, 0);
    let deleted: ReturnType<typeof deleteAccount> | undefined;
    await database.db.transaction(async (tx) => {
      await insertMember(tx, { accountId: other.accountId, userId, role: 'member' });
      deleted = deleteAccount({ database, accountId, actor: CLI }, { accountName: null });
      await vi.waitFor(async () => {
        const waiters = await database.sql`
          select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
        expect(waiters).toHaveLength(1);
      }, WITHIN_MS);
    });
    expect(await deleted).toMatchObject({ people: 0 });
    expect(await database.sql`select account_id from memberships where user_id = ${userId}`).toEqual([
      { account_id: other.accountId },
    ]);
  });

  test('a member of two accounts that are deleted at the same moment is deleted with them', async () => {
    for (let round = 0; round < 10; round++) {
      const one = await makeAccount(database, 0);
      const other = await makeAccount(database, 0);
      await insertMember(database.db, { ...other, userId: one.userId, role: 'member' });
      await Promise.all(
        [one, other].map(({ accountId }) =>
          deleteAccount({ database, accountId, actor: CLI }, { accountName: null }),
        ),
      );
      expect(await database.sql`select id from users where id in (${one.userId}, ${other.userId})`).toEqual(
        [],
      );
    }
  });

  test('another administrator remains, also if the last two delete their accounts at the same moment', async () => {
    for (let round = 0; round < 5; round++) {
      const last = await Promise.all([1, 2].map(() => makeAccount(database, 0)));
      await database.sql`update users set admin = id = any(${last.map(({ userId }) => userId)})`;
      const deleted = await Promise.allSettled(
        last.map(({ accountId }) =>
          deleteAccount({ database, accountId, actor: CLI }, { accountName: null }),
        ),
      );
      expect(deleted.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    }
  });
});
