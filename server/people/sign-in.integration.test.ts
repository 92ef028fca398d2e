import { describe, expect, test } from 'vitest';
import { listAudit } from '#server/accounts/audit.ts';
import { testDatabase } from '#server/testing/database.ts';
import { CLI, freshEmail, PASSWORD } from '#server/testing/domain.ts';
import { changePassword, makeResetLink, openResetLink, resetPassword } from './change-password.ts';
import { sessionUser } from './session-user.ts';
import { confirmPassword, endAllSignIns, endSignIn, listSignIns, openSignIn, signIn } from './sign-in.ts';
import { signUp } from './sign-up.ts';
import { setUserDisabled } from './user-status.ts';
import { verifyPassword } from './verify-password.ts';

const database = testDatabase();

const NEW = 'granite otter under willow';
let addresses = 0;
const freshAddress = () => `192.0.2.${++addresses}`;

/** A user who is signed in in two browsers. */
async function inTwoBrowsers() {
  const { email, userId } = await signUp({ database }, { email: freshEmail(), password: PASSWORD });
  const address = freshAddress();
  const open = async (userAgent: string) =>
    (await signIn({ database, address }, { email, password: PASSWORD, userAgent }))?.signInId ?? '';
  const [here, there] = [await open('here'), await open('there')];
  const holds = async () => ({
    here: (await sessionUser({ database }, { signInId: here })) !== null,
    there: (await sessionUser({ database }, { signInId: there })) !== null,
  });
  const actor = { kind: 'user', userId, address } as const;
  return { email, userId, address, here, there, holds, actor };
}

const actionsOf = async (userId: string) =>
  (await listAudit({ database }, { limit: 200 })).rows
    .filter((row) => row.target === userId)
    .map((row) => row.action);

describe('a sign-in', () => {
  test('is listed for its user, who can end it, and for no other user', async () => {
    const { userId, here, there, holds, actor } = await inTwoBrowsers();
    const stranger = await inTwoBrowsers();
    expect(await listSignIns({ database, userId }, { signInId: here })).toEqual([
      expect.objectContaining({ id: there, userAgent: 'there', current: false }),
      expect.objectContaining({ id: here, userAgent: 'here', current: true }),
    ]);
    await expect(
      endSignIn({ database, userId: stranger.userId, actor: stranger.actor }, { signInId: there }),
    ).rejects.toMatchObject({ code: 'not_found' });
    expect(await holds()).toEqual({ here: true, there: true });
    await endSignIn({ database, userId, actor }, { signInId: there });
    expect(await holds()).toEqual({ here: true, there: false });
    expect(await listSignIns({ database, userId }, { signInId: here })).toHaveLength(1);
  });

  test('ends when its user signs out everywhere', async () => {
    const { userId, holds, actor } = await inTwoBrowsers();
    await endAllSignIns({ database, userId, actor });
    expect(await holds()).toEqual({ here: false, there: false });
  });

  test('does not survive when it starts while all are being ended', async () => {
    const { userId, address, actor } = await inTwoBrowsers();
    for (let round = 0; round < 20; round++) {
      const [{ version } = { version: 0 }] = await database.sql<{ version: number }[]>`
        select session_version as version from users where id = ${userId}`;
      await Promise.all([
        openSignIn({ database }, { userId, version, address, userAgent: null }),
        endAllSignIns({ database, userId, actor }),
      ]);
      expect(await listSignIns({ database, userId }, { signInId: '' })).toEqual([]);
    }
  });

  test('ends when its user is disabled, and a new one needs the user enabled', async () => {
    const { email, userId, address, holds } = await inTwoBrowsers();
    await setUserDisabled({ database, actor: CLI }, { email, disabled: true });
    expect(await holds()).toEqual({ here: false, there: false });
    const again = { email, password: PASSWORD, userAgent: null };
    expect(await signIn({ database, address }, again)).toBeNull();
    await setUserDisabled({ database, actor: CLI }, { email: email.toUpperCase(), disabled: false });
    expect(await holds()).toEqual({ here: false, there: false });
    expect(await signIn({ database, address }, again)).toMatchObject({ userId });
    expect(await actionsOf(userId)).toEqual(expect.arrayContaining(['user.disable', 'user.enable']));
  });

  test.each([
    ['after 14 days', "created_at = now() - interval '14 days 1 second'"],
    ['after 3 days without a sign of life', "seen_at = now() - interval '3 days 1 second'"],
  ])('ends %s', async (_, set) => {
    const { here, there, holds } = await inTwoBrowsers();
    await database.sql.unsafe(`update sign_ins set ${set} where id = $1`, [there]);
    expect(await holds()).toEqual({ here: true, there: false });
    expect(here).not.toBe(there);
  });

  test('allows sensitive actions for ten minutes, and again once the password is entered', async () => {
    const { userId, here, there, address } = await inTwoBrowsers();
    const confirmed = async (signInId: string) => (await sessionUser({ database }, { signInId }))?.confirmed;
    expect(await confirmed(here)).toBe(true);
    await database.sql`update sign_ins set confirmed_at = now() - interval '10 minutes 1 second'`;
    expect(await confirmed(here)).toBe(false);
    const confirm = (password: string) =>
      confirmPassword({ database, userId, address }, { signInId: here, password });
    await expect(confirm(NEW)).rejects.toMatchObject({ code: 'invalid_parameters' });
    expect(await confirmed(here)).toBe(false);
    expect(await confirm(PASSWORD)).toBe(1);
    expect([await confirmed(here), await confirmed(there)]).toEqual([true, false]);
    // This voids the earlier cookie of this browser, but not that of the other browser.
    const renewals = async (signInId: string) => (await sessionUser({ database }, { signInId }))?.renewals;
    expect([await renewals(here), await renewals(there)]).toEqual([1, 0]);
    expect(await confirm(PASSWORD)).toBe(2);
  });
});

describe('changing the password', () => {
  test('requires the current one, signs out other browsers and invalidates the old password', async () => {
    const { email, userId, address, here, holds } = await inTwoBrowsers();
    const change = { userId, signInId: here, password: NEW, address };
    await expect(changePassword({ database, ...change }, { ...change, current: NEW })).rejects.toMatchObject({
      code: 'invalid_parameters',
    });
    await expect(
      changePassword({ database, ...change }, { ...change, current: PASSWORD, password: 'password1234' }),
    ).rejects.toMatchObject({ code: 'invalid_parameters' });
    expect(await holds()).toEqual({ here: true, there: true });
    expect(await changePassword({ database, ...change }, { ...change, current: PASSWORD })).toBe(1);
    expect(await holds()).toEqual({ here: true, there: false });
    expect(await verifyPassword({ database }, { email, password: PASSWORD, address })).toBeNull();
    expect(await verifyPassword({ database }, { email, password: NEW, address })).toMatchObject({ userId });
    expect(await actionsOf(userId)).toContain('user.change_password');
  });

  test('succeeds once if two browsers type the same current password at the same moment', async () => {
    const { email, userId, address, here, there, holds } = await inTwoBrowsers();
    const passwords = [NEW, `${NEW} too`];
    const changes = await Promise.all(
      [here, there].map((signInId, i) =>
        changePassword(
          { database, userId, address },
          { signInId, current: PASSWORD, password: passwords[i] ?? '' },
        ).catch(({ code }) => code),
      ),
    );
    expect(changes.map(String).sort()).toEqual(['1', 'invalid_parameters']);
    expect(await holds()).toEqual({ here: changes[0] === 1, there: changes[1] === 1 });
    const password = passwords[changes.indexOf(1)] ?? '';
    expect(await verifyPassword({ database }, { email, password, address })).toMatchObject({ userId });
  });
});

describe('a reset link', () => {
  const tokenOf = (link: string) => new URL(link).hash.slice(1);
  const reset = (token: string, password = NEW) =>
    resetPassword({ database, address: freshAddress() }, { token, password });

  test('sets a password once, ends every sign-in, and is stored only as a hash', async () => {
    const { email, userId, address, holds } = await inTwoBrowsers();
    const { link, expiresInSeconds } = await makeResetLink({ database, actor: CLI }, { email });
    expect(expiresInSeconds).toBe(1800);
    const token = tokenOf(link);
    expect(Buffer.from(token, 'base64url')).toHaveLength(16);
    expect(new URL(link).search).toBe('');
    expect(JSON.stringify(await database.sql`select * from reset_links`)).not.toContain(token);
    await expect(reset(token, 'password1234')).rejects.toMatchObject({ code: 'invalid_parameters' });
    const tries = await Promise.allSettled([reset(token), reset(token)]);
    expect(tries.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(await holds()).toEqual({ here: false, there: false });
    expect(await verifyPassword({ database }, { email, password: NEW, address })).toMatchObject({ userId });
    expect(await actionsOf(userId)).toEqual(
      expect.arrayContaining(['user.reset_link', 'user.reset_password']),
    );
  });

  test('ends also the sign-ins whose old password is being checked', async () => {
    for (let round = 0; round < 5; round++) {
      const { email, userId } = await inTwoBrowsers();
      const { link } = await makeResetLink({ database, actor: CLI }, { email });
      const old = { email, password: PASSWORD, userAgent: null };
      await Promise.all([
        ...Array.from({ length: 6 }, () => signIn({ database, address: freshAddress() }, old)),
        reset(tokenOf(link)),
      ]);
      expect(await listSignIns({ database, userId }, { signInId: '' })).toEqual([]);
    }
  });

  test('replaces the others, also those that are made at the same moment', async () => {
    const { email } = await inTwoBrowsers();
    const made = await Promise.all(
      [0, 1, 2, 3].map(() => makeResetLink({ database, actor: CLI }, { email })),
    );
    const open = ({ link }: { link: string }) =>
      openResetLink({ database, address: freshAddress() }, { token: tokenOf(link) });
    const opened = await Promise.allSettled(made.map(open));
    expect(opened.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  test('gives the same answer when it was used, replaced, expired or never existed', async () => {
    const { email } = await inTwoBrowsers();
    const replaced = tokenOf((await makeResetLink({ database, actor: CLI }, { email })).link);
    const used = tokenOf((await makeResetLink({ database, actor: CLI }, { email })).link);
    await reset(used);
    const late = tokenOf((await makeResetLink({ database, actor: CLI }, { email })).link);
    await database.sql`update reset_links set expires_at = now()`;
    const disabled = await inTwoBrowsers();
    const ofDisabled = tokenOf(
      (await makeResetLink({ database, actor: CLI }, { email: disabled.email })).link,
    );
    await setUserDisabled({ database, actor: CLI }, { email: disabled.email, disabled: true });
    const answers: unknown[] = [];
    for (const token of [replaced, used, late, ofDisabled, 'x'.repeat(22), ''])
      answers.push(await reset(token).catch(({ code, message }) => ({ code, message })));
    const one = {
      code: 'not_found',
      message: expect.stringMatching(/^This link was already used or has expired\. To get a new one/),
    };
    expect(answers).toEqual(Array(6).fill(one));
  });

  test('is not created for an unknown user, and guessing one is slowed down', async () => {
    await expect(makeResetLink({ database, actor: CLI }, { email: freshEmail() })).rejects.toMatchObject({
      code: 'not_found',
    });
    const guess = () =>
      resetPassword({ database, address: '198.51.100.77' }, { token: 'guess', password: NEW });
    for (let n = 0; n < 20; n++) await expect(guess()).rejects.toMatchObject({ code: 'not_found' });
    await expect(guess()).rejects.toMatchObject({ code: 'rate_limited' });
  });
});
