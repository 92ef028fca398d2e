import { beforeEach, describe, expect, test } from 'vitest';
import { deleteAccount } from '#server/accounts/delete-account.ts';
import { accountsOf } from '#server/accounts/queries/accounts.ts';
import { testDatabase } from '#server/testing/database.ts';
import { CLI, freshEmail, makeAccount, PASSWORD } from '#server/testing/domain.ts';
import { codeOf, inviteToken } from '#server/testing/people.ts';
import { joinAccount, openInvitation, signUpToJoin, withdrawInvitation } from './invitations.ts';
import { changeRole, listInvitations, listPeople, removePerson } from './people.ts';
import { verifyPassword } from './verify-password.ts';

const database = testDatabase();

// One for each test, because attempts are counted by address.
let address: string;
let tests = 0;
beforeEach(() => {
  address = `192.0.2.${++tests}`;
});
const owner = async () => ({ ...(await makeAccount(database, 0)), actor: CLI });
const invited = (accountId: string, role?: 'owner' | 'member') => inviteToken(database, { accountId, role });

describe('an invitation', () => {
  test('admits a new user once, without an account of their own', async () => {
    const { accountId } = await owner();
    const token = await invited(accountId);
    expect(await openInvitation({ database, address }, { token })).toMatchObject({ role: 'member' });
    const email = freshEmail();
    await signUpToJoin({ database, address }, { token, email, password: PASSWORD });
    const { userId = '' } =
      (await verifyPassword({ database }, { email, password: PASSWORD, address })) ?? {};
    expect(await accountsOf(database.db, { userId })).toMatchObject([{ accountId, role: 'member' }]);
    const again = { token, email: freshEmail(), password: PASSWORD, address };
    expect(await codeOf(signUpToJoin({ database, ...again }, again))).toBe('not_found');
    expect(await codeOf(openInvitation({ database, address }, { token }))).toBe('not_found');
  });

  test('adds an existing user to a second account, with its role', async () => {
    const { accountId } = await owner();
    const guest = await owner();
    await joinAccount(
      { database, userId: guest.userId, address },
      { token: await invited(accountId, 'owner') },
    );
    const accounts = await accountsOf(database.db, guest);
    expect(accounts.map(({ role }) => role)).toEqual(['owner', 'owner']);
    expect(accounts.map((one) => one.accountId)).toContain(accountId);
  });

  test('is not used up by a user who was deleted after their session was checked', async () => {
    const { accountId } = await owner();
    const guest = await owner();
    const token = await invited(accountId);
    await deleteAccount({ database, ...guest }, { accountName: null });
    expect(await codeOf(joinAccount({ database, userId: guest.userId, address }, { token }))).toBe(
      'unauthorized',
    );
    const other = await owner();
    expect(await codeOf(joinAccount({ database, userId: other.userId, address }, { token }))).toBe('done');
  });

  test('admits one of several who open it at the same moment', async () => {
    const { accountId } = await owner();
    const token = await invited(accountId);
    const guests = await Promise.all([owner(), owner(), owner()]);
    const codes = await Promise.all(
      guests.map(({ userId }) => codeOf(joinAccount({ database, userId, address }, { token }))),
    );
    expect(codes.toSorted()).toEqual(['done', 'not_found', 'not_found']);
    expect(await listPeople({ database, accountId })).toHaveLength(2);
  });

  test('is invalid once withdrawn or expired, and its token is not in the database', async () => {
    const { accountId, actor } = await owner();
    const withdrawn = await invited(accountId);
    const [waiting] = await listInvitations({ database, accountId });
    await withdrawInvitation({ database, accountId, actor }, { invitationId: waiting?.invitationId ?? '' });
    expect(await codeOf(openInvitation({ database, address }, { token: withdrawn }))).toBe('not_found');

    const late = await invited(accountId);
    const rows =
      await database.sql`select to_jsonb(i)::text as row from invitations i where account_id = ${accountId}`;
    expect(JSON.stringify(rows)).not.toContain(late);
    await database.sql`update invitations set expires_at = clock_timestamp() where account_id = ${accountId}`;
    expect(await codeOf(openInvitation({ database, address }, { token: late }))).toBe('not_found');
    const newcomer = { token: late, email: freshEmail(), password: PASSWORD, address };
    expect(await codeOf(signUpToJoin({ database, ...newcomer }, newcomer))).toBe('not_found');
  });

  test('stays usable when a member of the account or an existing user opens it', async () => {
    const { accountId, userId, email } = await owner();
    const token = await invited(accountId);
    expect(await codeOf(joinAccount({ database, userId, address }, { token }))).toBe('already_exists');
    await signUpToJoin({ database, address }, { token, email, password: PASSWORD });
    expect(await openInvitation({ database, address }, { token })).toMatchObject({ role: 'member' });
  });
});

describe('the members of an account', () => {
  test('always include an owner, even when two owners step back at the same moment', async () => {
    const { accountId, userId, actor } = await owner();
    expect(await codeOf(changeRole({ database, accountId, actor }, { userId, role: 'member' }))).toBe(
      'invalid_parameters',
    );
    expect(await codeOf(removePerson({ database, accountId, actor }, { userId }))).toBe('invalid_parameters');

    const second = await owner();
    await joinAccount(
      { database, userId: second.userId, address },
      { token: await invited(accountId, 'owner') },
    );
    const codes = await Promise.all(
      [userId, second.userId].map((id) =>
        codeOf(removePerson({ database, accountId, actor }, { userId: id })),
      ),
    );
    expect(codes.toSorted()).toEqual(['done', 'invalid_parameters']);
    expect((await listPeople({ database, accountId })).map(({ role }) => role)).toEqual(['owner']);
  });

  test('are changed only by somebody who is still an owner', async () => {
    const { accountId, userId, actor } = await owner();
    const others = [await owner(), await owner()];
    for (const other of others)
      await joinAccount(
        { database, userId: other.userId, address },
        { token: await invited(accountId, 'owner') },
      );
    await changeRole({ database, accountId, actor }, { userId, role: 'member' });
    const former = { database, accountId, actor: { kind: 'user', userId, address } } as const;
    const [first = '', second = ''] = others.map((other) => other.userId);
    expect(await codeOf(changeRole(former, { userId: first, role: 'member' }))).toBe('forbidden');
    expect(await codeOf(removePerson(former, { userId: first }))).toBe('forbidden');
    expect(await codeOf(changeRole(former, { userId, role: 'owner' }))).toBe('forbidden');
    const current = { ...former, actor: { ...former.actor, userId: second } };
    expect(await codeOf(removePerson(current, { userId: first }))).toBe('done');
  });

  test('change roles and leave, and another account’s members cannot be changed', async () => {
    const { accountId, userId, actor } = await owner();
    const guest = await owner();
    const other = await owner();
    await joinAccount({ database, userId: guest.userId, address }, { token: await invited(accountId) });
    await changeRole({ database, accountId, actor }, { userId: guest.userId, role: 'owner' });
    await changeRole({ database, accountId, actor }, { userId, role: 'member' });
    expect((await listPeople({ database, accountId })).map((one) => [one.userId, one.role])).toEqual([
      [guest.userId, 'owner'],
      [userId, 'member'],
    ]);
    expect(await codeOf(removePerson({ database, accountId, actor }, { userId: other.userId }))).toBe(
      'not_found',
    );
    await removePerson({ database, accountId, actor }, { userId });
    expect(await accountsOf(database.db, { userId })).not.toContainEqual(
      expect.objectContaining({ accountId }),
    );
  });
});
