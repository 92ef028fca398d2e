import { describe, expect, test, vi } from 'vitest';
import { listAudit } from '#server/accounts/audit.ts';
import { findAccount } from '#server/accounts/find-account.ts';
import { activatePlan } from '#server/plans/activate-plan.ts';
import { planOf } from '#server/plans/plan-of.ts';
import { testDatabase } from '#server/testing/database.ts';
import { CLI, freshEmail, PASSWORD, signedIn } from '#server/testing/domain.ts';
import { claimAdmin, firstAdminLink, isFirstAdminLink } from './first-admin.ts';
import { sessionUser } from './session-user.ts';
import { signUp, signUpAsVisitor } from './sign-up.ts';
import { verifyPassword } from './verify-password.ts';

const database = testDatabase();

const tokenOf = (link: string | null) => new URL(link ?? 'x:').searchParams.get('token') ?? '';

describe('signing up', () => {
  test('creates a user who owns an account, with an entry in the audit log', async () => {
    const email = freshEmail();
    const made = await signUp(
      { database },
      { email: ` ${email} `, password: PASSWORD, address: '192.0.2.7' },
    );
    const signIn = await signedIn(database, made);
    expect(await sessionUser({ database }, signIn)).toEqual({
      ...signIn,
      renewals: 0,
      userId: made.userId,
      email,
      admin: false,
      secondFactor: false,
      confirmed: true,
      accounts: [{ accountId: made.accountId, name: email, role: 'owner', suspended: false }],
      views: null,
    });
    const { rows } = await listAudit({ database }, { accountId: made.accountId, limit: 10 });
    expect(rows).toEqual([
      {
        id: expect.any(Number),
        accountId: made.accountId,
        action: 'account.create',
        target: made.userId,
        targetName: email,
        detail: { admin: false },
        at: expect.any(Date),
        actor: 'user',
        actorId: made.userId,
        actorName: email,
        actorEmail: email,
        address: '192.0.2.7',
      },
    ]);
  });

  test('succeeds once for an address, in any case, even when tried twice at once', async () => {
    const email = freshEmail();
    const tries = await Promise.allSettled([
      signUp({ database }, { email, password: PASSWORD }),
      signUp({ database }, { email: email.toUpperCase(), password: PASSWORD }),
    ]);
    expect(tries.map((one) => one.status).sort()).toEqual(['fulfilled', 'rejected']);
    await expect(signUp({ database }, { email, password: PASSWORD })).rejects.toMatchObject({
      code: 'already_exists',
    });
    expect(await database.sql`select 1 from users where lower(email) = ${email}`).toHaveLength(1);
  });

  test('does not reveal to a visitor that an address is taken, in words or in time, and changes nothing', async () => {
    const { email, userId } = await signUp({ database }, { email: freshEmail(), password: PASSWORD });
    const password = 'another gravel ounce moth';
    const timed = async (who: string, n: number) => {
      const began = performance.now();
      await signUpAsVisitor({ database, address: `203.0.113.${n}` }, { email: who, password });
      return performance.now() - began;
    };
    const taken: number[] = [];
    const free: number[] = [];
    for (let n = 0; n < 4; n++) {
      taken.push(await timed(email, n));
      free.push(await timed(freshEmail(), n));
    }
    // The shortest time of each, because other load only adds to a time.
    expect(Math.min(...taken)).toBeGreaterThan(Math.min(...free) * 0.8);
    const address = '203.0.113.99';
    expect(await verifyPassword({ database }, { email, password, address })).toBeNull();
    expect(await verifyPassword({ database }, { email, password: PASSWORD, address })).toMatchObject({
      userId,
    });
  });

  test('is slowed down for visitors after twenty from one address', async () => {
    const address = '203.0.113.200';
    const sign = () => signUpAsVisitor({ database, address }, { email: 'no address', password: PASSWORD });
    for (let n = 0; n < 20; n++) await expect(sign()).rejects.toMatchObject({ code: 'invalid_parameters' });
    await expect(sign()).rejects.toMatchObject({ code: 'rate_limited' });
  });

  test.each([
    ['ann', PASSWORD, 'Enter an email address'],
    ['ann@example.org', 'short', 'at least 12'],
    ['ann@example.org', 'password1234', 'easy to guess'],
  ])('refuses %s with %s', async (email, password, sentence) => {
    await expect(signUp({ database }, { email, password })).rejects.toMatchObject({
      code: 'invalid_parameters',
      message: expect.stringContaining(sentence),
    });
  });

  test('creates an administrator only for the operator', async () => {
    await expect(
      signUp({ database }, { email: freshEmail(), password: PASSWORD, admin: true }),
    ).rejects.toMatchObject({ code: 'forbidden' });
    const made = await signUp(
      { database },
      {
        email: freshEmail(),
        password: PASSWORD,
        operator: CLI,
        admin: true,
      },
    );
    expect(await sessionUser({ database }, await signedIn(database, made))).toMatchObject({
      admin: true,
    });
    await database.sql`update users set admin = false where id = ${made.userId}`;
  });
});

describe('signing in', () => {
  test('accepts the address in any case, and no other password', async () => {
    const { userId, email } = await signUp({ database }, { email: freshEmail(), password: PASSWORD });
    const address = '192.0.2.1';
    expect(
      await verifyPassword({ database }, { email: email.toUpperCase(), password: PASSWORD, address }),
    ).toMatchObject({ userId });
    expect(await verifyPassword({ database }, { email, password: `${PASSWORD}s`, address })).toBeNull();
    expect(
      await verifyPassword({ database }, { email: freshEmail(), password: PASSWORD, address }),
    ).toBeNull();
    await database.sql`update users set disabled_at = now() where id = ${userId}`;
    expect(await verifyPassword({ database }, { email, password: PASSWORD, address })).toBeNull();
  });

  test('takes as long for an unknown user as for a known one', async () => {
    const { email } = await signUp({ database }, { email: freshEmail(), password: PASSWORD });
    const timed = async (who: string, n: number) => {
      const began = performance.now();
      await verifyPassword(
        { database },
        { email: who, password: 'not this one, no', address: `192.0.2.${n}` },
      );
      return performance.now() - began;
    };
    const unknownEmail = freshEmail();
    const known: number[] = [];
    const unknown: number[] = [];
    // As many as a user may do at once.
    for (let n = 0; n < 5; n++) {
      known.push(await timed(email, n));
      unknown.push(await timed(unknownEmail, n));
    }
    const median = (list: number[]) => list.sort((a, b) => a - b)[2] ?? 0;
    // Without the work of a hash it would be a tenth of this.
    expect(median(unknown)).toBeGreaterThan(median(known) / 2);
  });

  test('is slowed down after ten wrong passwords, only for that user from that address', async () => {
    const { email, userId } = await signUp({ database }, { email: freshEmail(), password: PASSWORD });
    const address = '198.51.100.1';
    for (let n = 0; n < 10; n++)
      expect(
        await verifyPassword({ database }, { email, password: 'wrong wrong wrong', address }),
      ).toBeNull();
    await expect(verifyPassword({ database }, { email, password: PASSWORD, address })).rejects.toMatchObject({
      code: 'rate_limited',
      details: { retryAfterSeconds: expect.any(Number) },
    });
    expect(
      await verifyPassword({ database }, { email, password: PASSWORD, address: '198.51.100.2' }),
    ).toMatchObject({ userId });
  });

  test('is never slowed down with the right password', async () => {
    const { email, userId } = await signUp({ database }, { email: freshEmail(), password: PASSWORD });
    for (let n = 0; n < 15; n++)
      expect(
        await verifyPassword({ database }, { email, password: PASSWORD, address: '198.51.100.9' }),
      ).toMatchObject({ userId });
  });
});

describe('the first administrator', () => {
  test('is created by the link of the last start, which works once and whose token is stored nowhere', async () => {
    const { userId } = await signUp({ database }, { email: freshEmail(), password: PASSWORD });
    const stale = tokenOf(await firstAdminLink({ database }, Date.now() - 11 * 60_000));
    // Web processes that start together print one each, and nobody knows which was the last.
    const links = await Promise.all([1, 2, 3].map(() => firstAdminLink({ database })));
    const [token = '', ...others] = links.map(tokenOf);
    for (const other of others) expect(await isFirstAdminLink({ database }, { token: other })).toBe(true);
    expect(token).toMatch(/^[\w-]{32}$/);
    const stored = JSON.stringify(await database.sql`select * from installation`);
    expect(stored).not.toContain(token);
    for (const wrong of [stale, '', 'x'.repeat(32)])
      await expect(claimAdmin({ database, userId, address: null }, { token: wrong })).rejects.toMatchObject({
        code: 'not_found',
      });
    expect(await sessionUser({ database }, await signedIn(database, { userId }))).toMatchObject({
      admin: false,
    });

    await claimAdmin({ database, userId, address: null }, { token });
    expect(await sessionUser({ database }, await signedIn(database, { userId }))).toMatchObject({
      admin: true,
    });
    for (const used of [token, ...others])
      await expect(claimAdmin({ database, userId, address: null }, { token: used })).rejects.toMatchObject({
        code: 'not_found',
      });
    expect(await firstAdminLink({ database })).toBeNull();
  });
});

describe('the first administrator’s own account', () => {
  const planOfOwner = async (userId: string) => {
    const [row] = await database.sql<{ accountId: string }[]>`
      select account_id as "accountId" from memberships where user_id = ${userId}`;
    return planOf({ database, accountId: row?.accountId ?? '' });
  };
  const claim = async (userId: string) => {
    await database.sql`update users set admin = false`;
    const token = tokenOf(await firstAdminLink({ database }));
    await claimAdmin({ database, userId, address: null }, { token });
  };

  test('starts with a plan of three numbers for a year', async () => {
    const { userId } = await signUp({ database }, { email: freshEmail(), password: PASSWORD });
    // A year by the database's clock, whatever this process's is.
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() - 300 * 86_400_000 });
    await claim(userId).finally(() => vi.useRealTimers());
    const plan = await planOfOwner(userId);
    expect(plan).toMatchObject({ state: 'active', numbersIncluded: 3 });
    const days = (Date.parse(plan.paidUntil ?? '') - Date.now()) / 86_400_000;
    expect(Math.round(days)).toBeGreaterThanOrEqual(364);
  });

  test('keeps a plan that it has', async () => {
    const { userId, accountId } = await signUp({ database }, { email: freshEmail(), password: PASSWORD });
    const terms = { numbersIncluded: 1, paidUntil: '2020-01-31' };
    await activatePlan({ database, accountId, actor: CLI }, terms);
    await claim(userId);
    expect(await planOfOwner(userId)).toMatchObject({ state: 'expired', ...terms });
  });
});

describe('an account', () => {
  test('is found by its owner’s address, unless they own several', async () => {
    const { userId, accountId, email } = await signUp(
      { database },
      { email: freshEmail(), password: PASSWORD },
    );
    expect(await findAccount({ database }, { email: email.toUpperCase() })).toEqual({
      accountId,
      name: email,
      email,
      suspended: false,
    });
    expect(await findAccount({ database }, { accountId })).toMatchObject({ accountId });
    await expect(findAccount({ database }, { accountId: 'acc_none' })).rejects.toMatchObject({
      code: 'not_found',
    });
    await database.sql`insert into accounts (id, name) values ('acc_second', 'Second')`;
    await database.sql`insert into memberships (account_id, user_id, role) values ('acc_second', ${userId}, 'owner')`;
    await expect(findAccount({ database }, { email })).rejects.toMatchObject({
      code: 'invalid_parameters',
      message: expect.stringContaining('acc_second'),
    });
  });
});
