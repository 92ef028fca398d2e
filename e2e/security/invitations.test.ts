import { beforeEach, describe, expect, test } from 'vitest';
import { deleteAccount } from '#server/accounts/delete-account.ts';
import { accountsOf } from '#server/accounts/queries/accounts.ts';
import { callerOf } from '#server/dashboard/router.ts';
import { changePassword, makeResetLink, resetPassword } from '#server/people/change-password.ts';
import { invite, joinAccount, openInvitation, signUpToJoin } from '#server/people/invitations.ts';
import { changeRole, listInvitations, listPeople, removePerson } from '#server/people/people.ts';
import { sessionUser } from '#server/people/session-user.ts';
import { setUserDisabled } from '#server/people/user-status.ts';
import { verifyPassword } from '#server/people/verify-password.ts';
import { testDatabase } from '#server/testing/database.ts';
import { CLI, freshEmail, makeAccount, PASSWORD, signedIn } from '#server/testing/domain.ts';
import { codeOf, inviteToken } from '#server/testing/people.ts';

const database = testDatabase();

// One for each test, because attempts count per address.
let address: string;
let tests = 0;
beforeEach(() => {
  address = `192.0.2.${++tests}`;
});

const owner = () => makeAccount(database, 0);
const invited = (accountId: string, role?: 'owner' | 'member') => inviteToken(database, { accountId, role });

test('a removed owner cannot return by an invitation that they made before', async () => {
  const first = await owner();
  const second = await owner();
  const { accountId } = first;
  const browserOf = async ({ userId }: { userId: string }) => {
    const user = await sessionUser({ database }, await signedIn(database, { userId }));
    return callerOf({ database, user, accountChoice: accountId, address, device: null });
  };
  const made = await (await browserOf(first)).people.invite({ role: 'owner', note: '' });
  await (await browserOf(second)).people.join({ token: new URL(made.link).hash.slice(1) });
  const kept = await (await browserOf(second)).people.invite({ role: 'owner', note: '' });
  await (await browserOf(first)).people.remove({ userId: second.userId });

  const token = new URL(kept.link).hash.slice(1);
  expect(await codeOf((await browserOf(second)).people.join({ token }))).toBe('NOT_FOUND');
  expect((await (await browserOf(first)).people.list()).map((one) => one.userId)).toEqual([first.userId]);
});

describe('an invitation by a person', () => {
  const NEW = 'granite otter under willow';

  /** An account with a second owner, who made an invitation. */
  async function secondOwner() {
    const { accountId } = await owner();
    const second = await owner();
    await joinAccount(
      { database, userId: second.userId, address },
      { token: await invited(accountId, 'owner') },
    );
    const actor = { kind: 'user', userId: second.userId, address } as const;
    const { link } = await invite({ database, accountId, actor }, { role: 'owner', note: '' });
    return { ...second, accountId, actor, token: new URL(link).hash.slice(1) };
  }
  type Second = Awaited<ReturnType<typeof secondOwner>>;

  const ends: [string, (second: Second) => Promise<unknown>][] = [
    ['is removed', ({ accountId, userId }) => removePerson({ database, accountId, actor: CLI }, { userId })],
    [
      'is made a member',
      ({ accountId, userId }) => changeRole({ database, accountId, actor: CLI }, { userId, role: 'member' }),
    ],
    [
      'leaves the account',
      ({ accountId, userId, actor }) => removePerson({ database, accountId, actor }, { userId }),
    ],
    ['is disabled', ({ email }) => setUserDisabled({ database, actor: CLI }, { email, disabled: true })],
    [
      'is disabled and enabled again',
      async ({ email }) => {
        await setUserDisabled({ database, actor: CLI }, { email, disabled: true });
        await setUserDisabled({ database, actor: CLI }, { email, disabled: false });
      },
    ],
    [
      'is removed and comes back as an owner',
      async ({ accountId, userId }) => {
        await removePerson({ database, accountId, actor: CLI }, { userId });
        await joinAccount({ database, userId, address }, { token: await invited(accountId, 'owner') });
      },
    ],
    [
      'sets a password by a link of the operator',
      async ({ email }) => {
        const { link } = await makeResetLink({ database, actor: CLI }, { email });
        await resetPassword(
          { database, address: null },
          { token: new URL(link).hash.slice(1), password: NEW },
        );
      },
    ],
    [
      'changes the password',
      async ({ userId }) => {
        const { signInId } = await signedIn(database, { userId });
        await changePassword({ database, userId, address }, { signInId, current: PASSWORD, password: NEW });
      },
    ],
    [
      'is deleted with an account of their own',
      async ({ accountId, userId }) => {
        const own = (await accountsOf(database.db, { userId })).find((one) => one.accountId !== accountId);
        await database.sql`delete from memberships where account_id = ${accountId} and user_id = ${userId}`;
        await deleteAccount({ database, accountId: own?.accountId ?? '', actor: CLI }, { accountName: null });
      },
    ],
    [
      'is in an account that is deleted',
      ({ accountId }) => deleteAccount({ database, accountId, actor: CLI }, { accountName: null }),
    ],
  ];
  test.each(ends)('is invalid once that person %s', async (_, end) => {
    const second = await secondOwner();
    const guest = await owner();
    const { token, accountId } = second;
    expect(await openInvitation({ database, address }, { token })).toMatchObject({ role: 'owner' });
    await end(second);
    expect(await codeOf(openInvitation({ database, address }, { token }))).toBe('not_found');
    expect(await codeOf(joinAccount({ database, userId: guest.userId, address }, { token }))).toBe(
      'not_found',
    );
    const newcomer = { token, email: freshEmail(), password: PASSWORD, address };
    expect(await codeOf(signUpToJoin({ database, ...newcomer }, newcomer))).toBe('not_found');
    expect(await listInvitations({ database, accountId })).toEqual([]);
  });

  test('is refused when the person is removed during the request', async () => {
    const { accountId, userId, actor } = await secondOwner();
    await removePerson({ database, accountId, actor: CLI }, { userId });
    expect(await codeOf(invite({ database, accountId, actor }, { role: 'owner', note: '' }))).toBe(
      'forbidden',
    );
  });

  test('is invalid when the person was removed before this version', async () => {
    const { accountId, userId, token } = await secondOwner();
    await database.sql`delete from memberships where account_id = ${accountId} and user_id = ${userId}`;
    expect(await codeOf(openInvitation({ database, address }, { token }))).toBe('not_found');
    expect(await codeOf(joinAccount({ database, userId, address }, { token }))).toBe('not_found');
  });

  test('stays valid when another owner is removed', async () => {
    const { accountId, userId } = await secondOwner();
    const token = await invited(accountId);
    await removePerson({ database, accountId, actor: CLI }, { userId });
    expect(await openInvitation({ database, address }, { token })).toMatchObject({ role: 'member' });
  });
});

describe('whether an address has a user', () => {
  test('is not revealed by an invitation, in words or in time, and nothing is created', async () => {
    const { accountId } = await owner();
    const { email, userId } = await owner();
    const password = 'another gravel ounce moth';
    const timed = async (who: string, n: number) => {
      const token = await invited(accountId);
      const began = performance.now();
      const answer = await signUpToJoin(
        { database, address: `203.0.113.${n}` },
        { token, email: who, password },
      );
      return { answer, ms: performance.now() - began, token };
    };
    const taken = [];
    const free = [];
    for (let n = 0; n < 4; n++) {
      taken.push(await timed(email, n));
      free.push(await timed(freshEmail(), n));
    }
    expect(new Set([...taken, ...free].map(({ answer }) => JSON.stringify(answer) ?? 'nothing')).size).toBe(
      1,
    );
    const least = (list: { ms: number }[]) => Math.min(...list.map(({ ms }) => ms));
    // The shortest of each, because other load on the machine only adds time.
    expect(least(taken)).toBeGreaterThan(least(free) * 0.8);
    expect(await verifyPassword({ database }, { email, password, address: '203.0.113.99' })).toBeNull();
    const people = await listPeople({ database, accountId });
    expect(people.map((one) => one.userId)).not.toContain(userId);
    // The owner of the address signs in and opens the link again.
    const again = { token: taken[0]?.token ?? '', userId, address };
    expect(await joinAccount({ database, ...again }, again)).toEqual({ accountId });
  });
});
