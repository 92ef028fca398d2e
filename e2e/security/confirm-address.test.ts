import { Secret, TOTP } from 'otpauth';
import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { listAccounts } from '#server/accounts/list-accounts.ts';
import { accountsOf } from '#server/accounts/queries/accounts.ts';
import { callerOf } from '#server/dashboard/router.ts';
import { eraseExpired } from '#server/operations/erase-expired.ts';
import { makeResetLink, resetPassword } from '#server/people/change-password.ts';
import { claimAdmin, firstAdminLink } from '#server/people/first-admin.ts';
import { invite, openInvitation, signUpToJoin } from '#server/people/invitations.ts';
import { mailResetLink } from '#server/people/mail-reset-link.ts';
import { confirmSignUp } from '#server/people/mail-sign-up.ts';
import { listPeople, removePerson } from '#server/people/people.ts';
import { beginSecondFactor, confirmSecondFactor } from '#server/people/second-factor.ts';
import { sessionUser } from '#server/people/session-user.ts';
import { signIn } from '#server/people/sign-in.ts';
import { signUpAsVisitor } from '#server/people/sign-up.ts';
import { confirmEmail, releaseEmail } from '#server/people/user-status.ts';
import { digest } from '#server/platform/digest.ts';
import { CLI, freshEmail, makeAccount, PASSWORD, signedIn } from '#server/testing/domain.ts';
import { codeOf, startMailWorld } from '#server/testing/people.ts';
import { reserve } from '#server/testing/sql.ts';

const { database, smtp, mailer, stop } = await startMailWorld();
afterAll(stop);

let address: string;
let tests = 0;
beforeEach(() => {
  address = `198.51.100.${++tests}`;
  smtp.mails.splice(0);
});

const SQUATTERS = 'a squatter chose this one';

/** Signs up with mail configured. Resolves to the answer once the mail is sent. */
async function signUp(email: string, password = PASSWORD): Promise<unknown> {
  const { done, ...answer } = await signUpAsVisitor(
    { database, address },
    { email, password, mailer: mailer() },
  );
  await done;
  return answer;
}
/** The token of the last mailed link to a page. */
const tokenTo = (page: 'confirm' | 'reset') =>
  new RegExp(`/${page}#([\\w-]+)`).exec(smtp.mails.at(-1)?.text ?? '')?.[1] ?? 'none';
const confirm = (token: string, password = PASSWORD) =>
  confirmSignUp({ database, address }, { token, password });
const enter = (email: string, password = PASSWORD) =>
  signIn({ database, address }, { email, password, userAgent: null });
const usersWith = async (email: string) =>
  (await database.sql<{ id: string }[]>`select id from users where lower(email) = lower(${email})`).length;
async function userWith(email: string): Promise<string> {
  const [row] = await database.sql<{ id: string }[]>`select id from users where email = ${email}`;
  return row?.id ?? '';
}

describe('where mail can be sent, an address', () => {
  test('belongs to nobody until the mailed link is opened: no user, no account, nothing to sign in to', async () => {
    const email = freshEmail();
    expect(await signUp(email)).toEqual({ mailed: true });
    expect(smtp.mails.map(({ to }) => to)).toEqual([[email]]);
    expect(await usersWith(email)).toBe(0);
    expect(await enter(email)).toBeNull();
    expect(await listAccounts({ database }, { search: email })).toEqual([]);

    expect(await confirm(tokenTo('confirm'))).toEqual({ email });
    const made = await enter(email);
    expect(await accountsOf(database.db, { userId: made?.userId ?? '' })).toMatchObject([{ role: 'owner' }]);
    expect(await listAccounts({ database }, { search: email })).toMatchObject([{ unconfirmed: false }]);
  });

  test('belongs to one user, also if two of its links are opened at the same moment', async () => {
    const email = freshEmail();
    await signUp(email);
    const one = tokenTo('confirm');
    await signUp(email);
    const two = tokenTo('confirm');
    const waiting = async () => {
      const [row] = await database.sql<{ n: number }[]>`
        select count(*)::int as n from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`;
      return row?.n;
    };
    const opened = await database.sql.begin(async (sql) => {
      await sql`select from sign_ups where token_hash = ${digest(two)} for update`;
      const second = codeOf(confirm(two));
      await vi.waitFor(async () => expect(await waiting()).toBe(1));
      const first = codeOf(confirm(one));
      await vi.waitFor(async () => expect(await waiting()).toBe(2));
      return [first, second];
    });
    expect((await Promise.all(opened)).toSorted()).toEqual(['done', 'not_found']);
    expect(await usersWith(email)).toBe(1);
  });

  test('cannot be blocked for its owner by an earlier sign-up', async () => {
    const email = freshEmail();
    await signUp(email, SQUATTERS);
    const squatters = tokenTo('confirm');
    await signUp(email);
    await confirm(tokenTo('confirm'));
    expect(await enter(email)).not.toBeNull();
    expect(await enter(email, SQUATTERS)).toBeNull();
    expect(await codeOf(confirm(squatters, SQUATTERS))).toBe('not_found');
    expect(await usersWith(email)).toBe(1);
  });

  test('is not confirmed for another person when its owner opens a link that they requested', async () => {
    const email = freshEmail();
    await signUp(email, SQUATTERS);
    // The owner of the address does not know that password.
    expect(await codeOf(confirm(tokenTo('confirm')))).toBe('invalid_parameters');
    expect(await usersWith(email)).toBe(0);
  });

  test('gets the same answer whether taken or free, without a query on users', async () => {
    const { email } = await makeAccount(database, 0);
    const locked = await reserve(database.pool);
    await locked.unsafe('begin; lock table users in access exclusive mode');
    const answers = [];
    for (const asked of [email, freshEmail()])
      answers.push(
        await signUpAsVisitor({ database, address }, { email: asked, password: PASSWORD, mailer: mailer() }),
      );
    await locked.unsafe('rollback');
    locked.release();
    for (const { done } of answers) await done;
    expect(new Set(answers.map(({ mailed }) => mailed))).toEqual(new Set([true]));
    const toOwner = smtp.mails.find(({ to }) => to.includes(email))?.text ?? '';
    expect(toOwner).toContain('It is already registered');
    expect(toOwner).not.toContain('/confirm#');
  });

  test('gets only a few mails for a while, from one block and from all', async () => {
    const email = freshEmail();
    const ask = (from: string) =>
      codeOf(signUpAsVisitor({ database, address: from }, { email, password: PASSWORD, mailer: mailer() }));
    const here = [];
    for (let n = 0; n < 5; n++) here.push(await ask(`[2001:db8:1:1::${n}]:${4000 + n}`));
    expect(here).toEqual(['done', 'done', 'done', 'rate_limited', 'rate_limited']);
    const all = [];
    for (let n = 0; n < 10; n++) all.push(await ask(`2001:db8:2:${n}::1`));
    expect(all.filter((code) => code === 'done')).toHaveLength(7);
  });

  test('is confirmed once, within a day, by a link that is stored as a hash and cannot be guessed', async () => {
    const email = freshEmail();
    await signUp(email);
    const token = tokenTo('confirm');
    const rows = await database.sql`select to_jsonb(s)::text as row from sign_ups s`;
    expect(JSON.stringify(rows)).not.toContain(token);
    const tries = await Promise.all([confirm(token), confirm(token)].map(codeOf));
    expect(tries.toSorted()).toEqual(['done', 'not_found']);

    const late = freshEmail();
    await signUp(late);
    await database.sql`update sign_ups set expires_at = clock_timestamp() where email = ${late}`;
    expect(await codeOf(confirm(tokenTo('confirm')))).toBe('not_found');
    await eraseExpired({ database });
    expect(await database.sql`select 1 from sign_ups where email = ${late}`).toEqual([]);

    const guesses = [];
    for (let n = 0; n < 15; n++) guesses.push(await codeOf(confirm(`guess ${n}`)));
    expect(guesses.filter((code) => code === 'rate_limited').length).toBeGreaterThan(3);
  });

  test('of an invited person is confirmed before they join, and the invitation reveals nothing meanwhile', async () => {
    const { accountId, email: taken } = await makeAccount(database, 0);
    const { link } = await invite({ database, accountId, actor: CLI }, { role: 'member', note: '' });
    const token = new URL(link).hash.slice(1);
    const join = (email: string) =>
      signUpToJoin({ database, address }, { token, email, password: PASSWORD, mailer: mailer() });
    const seen = async () => [
      (await listPeople({ database, accountId })).length,
      await codeOf(openInvitation({ database, address }, { token })),
    ];
    const before = await seen();
    const email = freshEmail();
    for (const one of [taken, email]) {
      const { done, ...answer } = await join(one);
      await done;
      expect(answer).toEqual({ mailed: true });
      expect(await seen()).toEqual(before);
    }
    await confirm(tokenTo('confirm'));
    expect(await listPeople({ database, accountId })).toMatchObject([
      { email: taken },
      { email, role: 'member', confirmed: true },
    ]);
    expect(await codeOf(openInvitation({ database, address }, { token }))).toBe('not_found');
  });

  test('of an invited person creates no user when the invitation ended meanwhile', async () => {
    const { accountId } = await makeAccount(database, 0);
    const inviter = await makeAccount(database, 0);
    await database.sql`insert into memberships (account_id, user_id, role) values (${accountId}, ${inviter.userId}, 'owner')`;
    const actor = { kind: 'user', userId: inviter.userId, address } as const;
    const { link } = await invite({ database, accountId, actor }, { role: 'owner', note: '' });
    const email = freshEmail();
    const token = new URL(link).hash.slice(1);
    const asked = { token, email, password: PASSWORD, address, mailer: mailer() };
    await (await signUpToJoin({ database, ...asked }, asked)).done;
    await removePerson({ database, accountId, actor: CLI }, { userId: inviter.userId });
    expect(await codeOf(confirm(tokenTo('confirm')))).toBe('not_found');
    expect(await usersWith(email)).toBe(0);
  });

  test('that was taken before mail was set up returns to its owner by a mailed link, including its second factor', async () => {
    const email = freshEmail();
    await signUpAsVisitor({ database, address }, { email, password: SQUATTERS, mailer: null });
    const userId = await userWith(email);
    const { secret } = await beginSecondFactor({ database, userId });
    const code = new TOTP({ secret: Secret.fromBase32(secret) }).generate();
    await confirmSecondFactor({ database, userId, actor: CLI }, { code });
    const squatter = await signedIn(database, { userId });

    await (await mailResetLink({ database, address }, { email, mailer: mailer() })).done;
    await resetPassword({ database, address }, { token: tokenTo('reset'), password: PASSWORD });
    expect(await enter(email)).toMatchObject({ userId });
    expect(await sessionUser({ database }, squatter)).toBeNull();
    expect(await listAccounts({ database }, { search: email })).toMatchObject([{ unconfirmed: false }]);
  });
});

describe('without mail, an address', () => {
  /** A person who signed up with a foreign address and added another member to the account. */
  async function squatter() {
    const email = freshEmail();
    expect(
      await signUpAsVisitor({ database, address }, { email, password: SQUATTERS, mailer: null }),
    ).toEqual({
      mailed: false,
    });
    const userId = await userWith(email);
    const [account] = await accountsOf(database.db, { userId });
    return { email, userId, accountId: account?.accountId ?? '' };
  }
  async function administrator() {
    const { userId } = await makeAccount(database, 0);
    await database.sql`update users set admin = true where id = ${userId}`;
    const user = await sessionUser({ database }, await signedIn(database, { userId }));
    return callerOf({ database, user, accountChoice: null, address, device: null });
  }

  test('that is not confirmed is marked in the administrator’s list until the administrator confirms it', async () => {
    const { email, accountId } = await squatter();
    const { admin } = await administrator();
    const listed = () => admin.accounts({ search: email, show: 'unconfirmed' });
    expect(await listed()).toMatchObject({
      rows: [{ accountId, unconfirmed: true }],
      counts: { unconfirmed: 1 },
    });
    expect(await admin.account({ accountId })).toMatchObject({ unconfirmed: [email] });
    await admin.confirmEmail({ email });
    expect(await listed()).toMatchObject({ rows: [], counts: { all: 1, unconfirmed: 0 } });
    expect(await admin.account({ accountId })).toMatchObject({ unconfirmed: [] });
  });

  test('that another person took can be released by the administrator: they lose access, and its owner signs up with it', async () => {
    const { email, userId, accountId } = await squatter();
    const browser = await signedIn(database, { userId });
    const actor = { kind: 'user', userId, address } as const;
    const { link } = await invite({ database, accountId, actor }, { role: 'owner', note: '' });
    const { link: reset } = await makeResetLink({ database, actor: CLI }, { email });
    await (await administrator()).admin.releaseEmail({ email });

    expect(await sessionUser({ database }, browser)).toBeNull();
    expect(await enter(email, SQUATTERS)).toBeNull();
    const token = new URL(link).hash.slice(1);
    expect(await codeOf(openInvitation({ database, address }, { token }))).toBe('not_found');
    const late = { token: new URL(reset).hash.slice(1), password: SQUATTERS, address };
    expect(await codeOf(resetPassword({ database, ...late }, late))).toBe('not_found');

    await signUpAsVisitor({ database, address }, { email, password: PASSWORD, mailer: null });
    const made = await enter(email);
    expect(made?.userId).not.toBe(userId);
    expect(await accountsOf(database.db, { userId: made?.userId ?? '' })).not.toContainEqual(
      expect.objectContaining({ accountId }),
    );
    expect(await usersWith(`${userId}@released.invalid`)).toBe(1);
  });

  test('of an administrator cannot be released', async () => {
    const { email, userId } = await makeAccount(database, 0);
    await database.sql`update users set admin = true where id = ${userId}`;
    expect(await codeOf(releaseEmail({ database, actor: CLI }, { email }))).toBe('forbidden');
    expect(await codeOf(confirmEmail({ database, actor: CLI }, { email: freshEmail() }))).toBe('not_found');
  });

  test('of a user from the command line or the administrator’s link counts as confirmed', async () => {
    const { email } = await makeAccount(database, 0);
    expect(await listAccounts({ database }, { search: email })).toMatchObject([{ unconfirmed: false }]);
    await database.sql`update users set admin = false`;
    const { email: first, userId } = await squatter();
    const token = new URL((await firstAdminLink({ database })) ?? 'x:').searchParams.get('token') ?? '';
    await claimAdmin({ database, userId, address: null }, { token });
    expect(await listAccounts({ database }, { search: first })).toMatchObject([{ unconfirmed: false }]);
  });
});
