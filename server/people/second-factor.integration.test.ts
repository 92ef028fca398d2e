import { Secret, TOTP } from 'otpauth';
import { describe, expect, test } from 'vitest';
import { testDatabase } from '#server/testing/database.ts';
import { CLI, freshEmail, PASSWORD } from '#server/testing/domain.ts';
import {
  beginSecondFactor,
  confirmSecondFactor,
  removeSecondFactor,
  renewRecoveryCodes,
  secondFactorOf,
} from './second-factor.ts';
import { signUp } from './sign-up.ts';
import { verifyPassword } from './verify-password.ts';

const database = testDatabase();

let addresses = 0;

/** A user and what they do with an app. `code(n)` is the one that it shows `n` steps after they began. */
async function withApp() {
  const { userId, email } = await signUp({ database }, { email: freshEmail(), password: PASSWORD });
  const { secret, uri } = await beginSecondFactor({ database, userId });
  const totp = new TOTP({ secret: Secret.fromBase32(secret) });
  const begun = Date.now();
  const code = (steps: number) => totp.generate({ timestamp: begun + steps * 30_000 });
  const address = `192.0.2.${++addresses}`;
  const enter = (given?: string) =>
    verifyPassword(
      { database },
      {
        email,
        password: PASSWORD,
        address,
        ...(given === undefined ? {} : { code: given }),
      },
    );
  return { userId, email, secret, uri, code, enter };
}

const switchOn = async (app: Awaited<ReturnType<typeof withApp>>) => {
  const { userId, code } = app;
  // The code of the step before, so that the current one is still unused.
  return confirmSecondFactor({ database, userId, actor: CLI }, { code: code(-1) });
};

describe('a second factor', () => {
  test('is not required before its first correct code', async () => {
    const { userId, uri, email, enter, code } = await withApp();
    expect(decodeURIComponent(uri)).toContain(`otpauth://totp/Wirebird:${email}?issuer=Wirebird&secret=`);
    expect(await enter()).toMatchObject({ userId });
    const wrong = code(5);
    await expect(
      confirmSecondFactor({ database, userId, actor: CLI }, { code: wrong }),
    ).rejects.toMatchObject({
      code: 'invalid_parameters',
    });
    expect(await enter()).toMatchObject({ userId });
    expect(await secondFactorOf({ database, userId }, { admin: true })).toEqual({
      on: false,
      since: null,
      recoveryCodesLeft: 0,
      required: false,
    });
  });

  test('then requires a code, accepts each one once, and none that is two steps away', async () => {
    const app = await withApp();
    const { userId, code, enter } = app;
    const { recoveryCodes } = await switchOn(app);
    expect(recoveryCodes).toHaveLength(10);
    expect(await secondFactorOf({ database, userId }, { admin: false })).toMatchObject({
      on: true,
      recoveryCodesLeft: 10,
    });
    await expect(enter()).rejects.toMatchObject({
      code: 'second_factor',
      message: expect.stringContaining('Enter the code'),
    });
    await expect(enter(code(5))).rejects.toMatchObject({
      code: 'second_factor',
      message: expect.stringContaining('is wrong'),
    });
    await expect(enter(code(-1))).rejects.toMatchObject({ code: 'second_factor' });
    const tries = await Promise.allSettled([enter(code(0)), enter(code(0))]);
    expect(tries.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect(await enter(` ${code(1).slice(0, 3)} ${code(1).slice(3)}`)).toMatchObject({ userId });
  });

  test('accepts each recovery code once, in any spelling, until new ones are created', async () => {
    const app = await withApp();
    const { userId, enter } = app;
    const [one = '', two = '', three = ''] = (await switchOn(app)).recoveryCodes;
    expect(one).toMatch(/^[2-9a-z]{7}-[2-9a-z]{7}-[2-9a-z]{7}-[2-9a-z]{5}$/);
    expect(await enter(one)).toMatchObject({ userId });
    await expect(enter(one)).rejects.toMatchObject({ code: 'second_factor' });
    expect(await enter(two.toUpperCase().replaceAll('-', ' '))).toMatchObject({ userId });
    const { recoveryCodes } = await renewRecoveryCodes({ database, userId, actor: CLI });
    await expect(enter(three)).rejects.toMatchObject({ code: 'second_factor' });
    expect(await enter(recoveryCodes[0])).toMatchObject({ userId });
  });

  test('cannot be guessed: after five wrong codes the next one must wait', async () => {
    const app = await withApp();
    await switchOn(app);
    for (let n = 0; n < 5; n++)
      await expect(app.enter(app.code(10 + n))).rejects.toMatchObject({ code: 'second_factor' });
    await expect(app.enter(app.code(0))).rejects.toMatchObject({ code: 'rate_limited' });
  });

  test('is stored so that the database alone cannot produce codes', async () => {
    const app = await withApp();
    const { recoveryCodes } = await switchOn(app);
    const stored = JSON.stringify([
      await database.sql`select * from users`,
      await database.sql`select * from recovery_codes`,
    ]);
    for (const planted of [
      app.secret,
      ...recoveryCodes,
      ...recoveryCodes.map((code) => code.replaceAll('-', '')),
    ])
      expect(stored).not.toContain(planted);
  });

  test('cannot be replaced while it is on, and is deleted when it is switched off', async () => {
    const app = await withApp();
    const { userId, enter } = app;
    await switchOn(app);
    await expect(beginSecondFactor({ database, userId })).rejects.toMatchObject({ code: 'already_exists' });
    await removeSecondFactor({ database, userId, actor: { kind: 'user', userId, address: null } });
    expect(await enter()).toMatchObject({ userId });
  });

  test('is the one whose code was typed, also if another tab proposes one at the same moment', async () => {
    for (let round = 0; round < 20; round++) {
      const app = await withApp();
      const { userId, code, enter } = app;
      const [on] = await Promise.allSettled([switchOn(app), beginSecondFactor({ database, userId })]);
      if (on.status === 'fulfilled') expect(await enter(code(0))).toMatchObject({ userId });
    }
  });

  test('has ten recovery codes, also if they are replaced twice at the same moment', async () => {
    const app = await withApp();
    const { userId } = app;
    await switchOn(app);
    const renew = () => renewRecoveryCodes({ database, userId, actor: CLI });
    for (let round = 0; round < 10; round++) await Promise.all([renew(), renew()]);
    const { recoveryCodesLeft } = await secondFactorOf({ database, userId }, { admin: false });
    expect(recoveryCodesLeft).toBe(10);
  });
});
