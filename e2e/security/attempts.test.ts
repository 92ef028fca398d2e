import { Secret, TOTP } from 'otpauth';
import { afterAll, describe, expect, inject, test } from 'vitest';
import { listAudit } from '#server/accounts/audit.ts';
import { makeResetLink, resetPassword } from '#server/people/change-password.ts';
import { mailResetLink } from '#server/people/mail-reset-link.ts';
import { noticeAttempts } from '#server/people/notice-attempts.ts';
import { beginSecondFactor, confirmSecondFactor } from '#server/people/second-factor.ts';
import { confirmPassword, signIn } from '#server/people/sign-in.ts';
import { signUpAsVisitor } from '#server/people/sign-up.ts';
import { verifyPassword } from '#server/people/verify-password.ts';
import { openDatabase } from '#server/platform/db/client.ts';
import { CLI, freshEmail, makeAccount, PASSWORD, signedIn } from '#server/testing/domain.ts';
import { startMailWorld } from '#server/testing/people.ts';

const { database, smtp, mailer, stop } = await startMailWorld();
afterAll(stop);

const MANY = inject('attacks') === 'long' ? 1_000 : 60;
const WRONG = 'granite otter under willow';
const NEW = 'copper badger beside a well';
const user = () => makeAccount(database, 0);

let blocks = 0;
/** An unused address in its own block. */
const elsewhere = () => `2001:db8:${(++blocks).toString(16)}::1`;
/** Addresses of one block, as a proxy that adds ports writes them. */
const inOneBlock = () => {
  const block = `2001:db8:${(++blocks).toString(16)}:0`;
  return (n: number) => `[${block}:a:${(n % 65_536).toString(16)}::${n % 7}]:${1024 + n}`;
};

const outcomeOf = (promise: Promise<unknown>) =>
  promise.then(
    (found) => (found === null ? 'wrong' : 'in'),
    (error: { code?: string }) => error.code ?? 'failed',
  );
type Guess = Parameters<typeof verifyPassword>[1];
const outcomes = (guesses: Guess[]) =>
  Promise.all(guesses.map((guess) => outcomeOf(verifyPassword({ database }, guess))));
const count = (list: string[], what: string) => list.filter((one) => one === what).length;

/** A user with a second factor; `wrong` makes wrong codes. */
async function withSecondFactor() {
  const made = await user();
  const { secret } = await beginSecondFactor({ database, ...made });
  const totp = new TOTP({ secret: Secret.fromBase32(secret) });
  const code = (steps: number) => totp.generate({ timestamp: Date.now() + steps * 30_000 });
  await confirmSecondFactor({ database, ...made, actor: CLI }, { code: code(-1) });
  return { ...made, code, wrong: (n: number) => code(10 + n) };
}

/** Strangers from this many blocks have used up all attempts for strangers. */
async function besiege(email: string): Promise<void> {
  const guesses = Array.from({ length: MANY }, () => ({ email, password: WRONG, address: elsewhere() }));
  expect(count(await outcomes(guesses), 'rate_limited')).toBeGreaterThan(0);
}

describe('of guesses', () => {
  test('at a password from one block, each from another address and port, ten are checked', async () => {
    const { email } = await user();
    const from = inOneBlock();
    const guesses = Array.from({ length: MANY }, (_, n) => ({ email, password: WRONG, address: from(n) }));
    const seen = await outcomes(guesses);
    expect([count(seen, 'wrong'), count(seen, 'rate_limited')]).toEqual([10, MANY - 10]);
  });

  test('at a password, each from another block, thirty are checked', async () => {
    const { email } = await user();
    const guesses = Array.from({ length: MANY }, () => ({ email, password: WRONG, address: elsewhere() }));
    const seen = await outcomes(guesses);
    expect([count(seen, 'wrong'), count(seen, 'rate_limited')]).toEqual([30, MANY - 30]);
  });

  test('at a code with the right password, five from one block and fifteen from all are checked', async () => {
    const { email, wrong } = await withSecondFactor();
    const from = inOneBlock();
    const guess = (n: number, address: string) => ({ email, password: PASSWORD, code: wrong(n), address });
    const here = await outcomes(Array.from({ length: MANY }, (_, n) => guess(n, from(n))));
    expect([count(here, 'second_factor'), count(here, 'rate_limited')]).toEqual([5, MANY - 5]);
    const all = await outcomes(Array.from({ length: MANY }, (_, n) => guess(n, elsewhere())));
    expect([count(all, 'second_factor'), count(all, 'rate_limited')]).toEqual([10, MANY - 10]);
  });

  test('at an unknown user’s password, as many are checked as at a known user’s', async () => {
    const email = freshEmail();
    const guesses = Array.from({ length: MANY }, () => ({ email, password: WRONG, address: elsewhere() }));
    expect(count(await outcomes(guesses), 'wrong')).toBe(30);
  });

  test('in a signed-in browser, ten are checked', async () => {
    const made = await user();
    const { signInId } = await signedIn(database, made);
    const confirm = () =>
      confirmPassword({ database, ...made, address: elsewhere() }, { signInId, password: WRONG });
    const seen = await Promise.all(Array.from({ length: 20 }, () => outcomeOf(confirm())));
    expect([count(seen, 'invalid_parameters'), count(seen, 'rate_limited')]).toEqual([10, 10]);
  });

  test('are counted across all processes', async () => {
    const other = openDatabase(database.url, 4);
    try {
      const { email } = await user();
      const address = elsewhere();
      const guesses = Array.from({ length: 40 }, (_, n) =>
        outcomeOf(
          verifyPassword({ database: n % 2 ? other : database }, { email, password: WRONG, address }),
        ),
      );
      expect(count(await Promise.all(guesses), 'wrong')).toBe(10);
    } finally {
      await other.close();
    }
  });
});

describe('the wait', () => {
  test('doubles with each further wrong attempt up to its maximum, and starts over after a day', async () => {
    const { email } = await user();
    const address = elsewhere();
    const guess = () => verifyPassword({ database }, { email, password: WRONG, address });
    const waits: number[] = [];
    for (let n = 0; n < 9; n++) expect(await guess()).toBeNull();
    for (let n = 0; n < 7; n++) {
      expect(await guess()).toBeNull();
      const refused = await guess().catch((error: { details: { retryAfterSeconds: number } }) => error);
      waits.push(refused && 'details' in refused ? refused.details.retryAfterSeconds : 0);
      await database.sql`update attempts set wait_until = clock_timestamp() - interval '1 second'`;
    }
    expect(waits).toEqual([30, 60, 120, 240, 480, 900, 900]);
    await database.sql`update attempts set updated_at = clock_timestamp() - interval '25 hours'`;
    for (let n = 0; n < 9; n++) expect(await guess()).toBeNull();
  });

  test('also grows for an address block that signs up repeatedly', async () => {
    const from = inOneBlock();
    const sign = (n: number) =>
      signUpAsVisitor({ database, address: from(n) }, { email: 'no address', password: PASSWORD });
    const seen = [];
    for (let n = 0; n < 25; n++) seen.push(await outcomeOf(sign(n)));
    expect([count(seen, 'invalid_parameters'), count(seen, 'rate_limited')]).toEqual([20, 5]);
  });
});

describe('strangers do not delay a user', () => {
  const device = 'd'.repeat(32);

  test('in a browser where they signed in before, from any network', async () => {
    const { email, userId } = await user();
    await signIn({ database, address: elsewhere() }, { email, password: PASSWORD, userAgent: null, device });
    await besiege(email);
    const address = elsewhere();
    expect(await verifyPassword({ database }, { email, password: PASSWORD, address, device })).toMatchObject({
      userId,
    });
    // Only the browser is known: another browser at this address is a stranger's.
    expect(await outcomeOf(verifyPassword({ database }, { email, password: PASSWORD, address }))).toBe(
      'rate_limited',
    );
  });

  test('in an address block where they signed in before, in any browser', async () => {
    const { email, userId } = await user();
    const from = inOneBlock();
    await signIn({ database, address: from(1) }, { email, password: PASSWORD, userAgent: null });
    await besiege(email);
    expect(await verifyPassword({ database }, { email, password: PASSWORD, address: from(2) })).toMatchObject(
      {
        userId,
      },
    );
  });

  test('in their own browser, even when neighbours in the same address block guess', async () => {
    const { email, userId } = await user();
    const from = inOneBlock();
    await signIn({ database, address: from(1) }, { email, password: PASSWORD, userAgent: null, device });
    const guesses = Array.from({ length: 200 }, (_, n) => ({
      email: n < 20 ? email : freshEmail(),
      password: WRONG,
      address: from(n),
    }));
    expect(count(await outcomes(guesses), 'rate_limited')).toBeGreaterThan(50);
    const address = from(9);
    expect(await verifyPassword({ database }, { email, password: PASSWORD, address, device })).toMatchObject({
      userId,
    });
  });

  test('at the code, where they signed in before', async () => {
    const { email, userId, code, wrong } = await withSecondFactor();
    const here = { email, password: PASSWORD, address: elsewhere(), device };
    await signIn({ database, address: here.address }, { ...here, code: code(0), userAgent: null });
    const thief = (n: number) => ({ email, password: PASSWORD, code: wrong(n), address: elsewhere() });
    const seen = await outcomes(Array.from({ length: MANY }, (_, n) => thief(n)));
    expect(count(seen, 'rate_limited')).toBeGreaterThan(0);
    expect(await verifyPassword({ database }, { ...here, code: code(1) })).toMatchObject({ userId });
  });

  test('who set a new password by a link: they can sign in from there at once', async () => {
    const { email, userId } = await user();
    await besiege(email);
    const address = elsewhere();
    expect(await outcomeOf(verifyPassword({ database }, { email, password: PASSWORD, address }))).toBe(
      'rate_limited',
    );
    const { link } = await makeResetLink({ database, actor: CLI }, { email });
    await resetPassword({ database, address }, { token: new URL(link).hash.slice(1), password: NEW });
    expect(await verifyPassword({ database }, { email, password: NEW, address })).toMatchObject({ userId });
  });

  test('who requests a link where they signed in before', async () => {
    const { email } = await user();
    await signIn({ database, address: elsewhere() }, { email, password: PASSWORD, userAgent: null, device });
    const ask = (place: { address: string; device?: string }) =>
      mailResetLink({ database, ...place }, { email, mailer: mailer() });
    for (let n = 0; n < 3; n++) await (await ask({ address: elsewhere() })).done;
    expect(await outcomeOf(ask({ address: elsewhere() }))).toBe('rate_limited');
    expect(await outcomeOf(ask({ address: elsewhere(), device }))).toBe('in');
  });

  test('except after a new password: every place becomes unknown, because others may have used the old one', async () => {
    const { email } = await user();
    const thief = { address: elsewhere(), device: 't'.repeat(32) };
    await signIn(
      { database, address: thief.address },
      { email, password: PASSWORD, ...thief, userAgent: null },
    );
    const { link } = await makeResetLink({ database, actor: CLI }, { email });
    const address = elsewhere();
    await resetPassword({ database, address }, { token: new URL(link).hash.slice(1), password: NEW });
    await besiege(email);
    expect(await outcomeOf(verifyPassword({ database }, { email, password: PASSWORD, ...thief }))).toBe(
      'rate_limited',
    );
  });
});

describe('right passwords', () => {
  test('entered over and over in many browsers delay nobody else’s sign-in', async () => {
    const [busy, other] = [await user(), await user()];
    const browsers = await Promise.all(Array.from({ length: 20 }, () => signedIn(database, busy)));
    const address = elsewhere();
    let checked = 0;
    const flood = browsers.flatMap(({ signInId }) =>
      Array.from({ length: 10 }, async () => {
        const seen = await outcomeOf(
          confirmPassword({ database, ...busy, address }, { signInId, password: PASSWORD }),
        );
        if (seen === 'in') checked += 1;
        return seen;
      }),
    );
    await expect.poll(() => checked, { interval: 5 }).toBeGreaterThan(0);
    await signIn({ database, address: elsewhere() }, { ...other, password: PASSWORD, userAgent: null });
    expect(checked).toBeLessThan(20);
    expect(count(await Promise.all(flood), 'rate_limited')).toBeGreaterThan(150);
  });

  test('count too: a user’s are checked fifty times in a row, then every two seconds', async () => {
    const made = await user();
    const { signInId } = await signedIn(database, made);
    const confirm = () =>
      outcomeOf(
        confirmPassword({ database, ...made, address: elsewhere() }, { signInId, password: PASSWORD }),
      );
    const seen: string[] = [];
    const began = performance.now();
    while (seen.length < 100) seen.push(...(await Promise.all([confirm(), confirm(), confirm(), confirm()])));
    const seconds = (performance.now() - began) / 1_000;
    expect(count(seen, 'in')).toBeGreaterThanOrEqual(50);
    expect(count(seen, 'in')).toBeLessThanOrEqual(51 + seconds / 2);
    expect(count(seen, 'rate_limited')).toBe(100 - count(seen, 'in'));
  });
});

describe('repeated attempts', () => {
  const noted = async (userId: string) =>
    (await listAudit({ database }, { action: 'user.attempts', limit: 100 })).rows
      .filter(({ target }) => target === userId)
      .map(({ detail, address }) => ({ ...detail, address }));

  test('are written to the audit log once they are slowed down', async () => {
    const { email, userId } = await user();
    const address = elsewhere();
    for (let n = 0; n < 10; n++) await verifyPassword({ database }, { email, password: WRONG, address });
    await expect.poll(() => noted(userId)).toEqual([{ at: 'password', address, mailed: false }]);
  });

  test('are mailed to the user once a day, and not mailed for an unknown user', async () => {
    const { email, userId } = await user();
    smtp.mails.splice(0);
    const notice = (at: 'password' | 'code', to = email) =>
      noticeAttempts({ database }, { email: to, at, address: '192.0.2.7', mailer: mailer() });
    await notice('password');
    await notice('password');
    await notice('code');
    await notice('code', freshEmail());
    expect(smtp.mails.map(({ to }) => to)).toEqual([[email], [email]]);
    expect(smtp.mails[0]?.text).toMatch(/repeatedly entered wrong passwords .+ came from 192\.0\.2\.7/);
    expect(smtp.mails[1]?.text).toContain('somebody knows your password. Set a new one now');
    expect(await noted(userId)).toHaveLength(2);
  });
});
