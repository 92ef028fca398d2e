import { createHash } from 'node:crypto';
import { matchesPassword } from '#server/auth/passwords.ts';
import { AppError } from '#server/core/errors.ts';
import type { Database } from '#server/db/client.ts';
import { type Bucket, spendTokens, takeTokens } from '#server/store/rate-buckets.ts';
import { findUserByEmail } from '#server/store/users.ts';
import { passSecondFactor } from './second-factor.ts';

/** Wrong passwords in a row for one user from one address, then one more every half minute. */
const TRIES = { capacity: 10, perSecond: 1 / 30 } as const;
/** The same over all users, against somebody who tries one password on many; roomy, for offices share one. */
const TRIES_FROM_ADDRESS = { capacity: 100, perSecond: 1 / 6 } as const;

/**
 * The user behind an e-mail address and password, or null, after the same work and with the same answer
 * whether the user is unknown, disabled, or typed something else. Throws `second_factor` when the password is
 * right and a code is missing or wrong; `rate_limited` after too many wrong ones: nobody is locked out for
 * good, nor at another address.
 */
export async function verifyPassword(
  database: Database,
  params: { email: string; password: string; code?: string; address: string },
): Promise<{ userId: string } | null> {
  const { password, address, code } = params;
  const email = params.email.trim().toLowerCase();
  const buckets: Bucket[] = [
    { key: `sign-in:${digest(`${address} ${email}`)}`, ...TRIES },
    { key: `sign-in:${digest(address)}`, ...TRIES_FROM_ADDRESS },
  ];
  // Taken before the password is looked at, so that tries at the same moment cannot outrun the count.
  for (const bucket of buckets) await takeTry(database, bucket, 'sign in');
  const user = await findUserByEmail(database.db, { email });
  if (!(await matchesPassword(user?.passwordHash ?? null, password)) || !user) return null;
  const factor = await passSecondFactor(database.db, { userId: user.id, code });
  // A wrong code is a wrong try; the form that first asks for one is none.
  if (factor !== 'wrong') for (const bucket of buckets) await spendTokens(database, bucket, -1);
  if (factor === 'wrong')
    throw new AppError('second_factor', 'This code is not right, or was used already. Type the next one.');
  if (factor === 'missing')
    throw new AppError('second_factor', 'Type the code that your authenticator app shows.');
  return { userId: user.id };
}

/** Takes one try from a bucket. Throws `rate_limited`, with when to try again. */
export async function takeTry(database: Database, bucket: Bucket, toDo: string): Promise<void> {
  const { taken, tokens } = await takeTokens(database, bucket);
  if (taken) return;
  const retryAfterSeconds = Math.max(1, Math.ceil((1 - tokens) / bucket.perSecond));
  throw new AppError(
    'rate_limited',
    `Too many attempts to ${toDo}. Wait ${retryAfterSeconds} s, then try again.`,
    { retryAfterSeconds, limit: 'rate' },
  );
}

/** Who tried something from where is nobody's business: the bucket's name does not tell. */
export function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}
