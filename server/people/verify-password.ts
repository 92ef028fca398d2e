import { AppError } from '#server/core/errors.ts';
import type { Database } from '#server/platform/db/client.ts';
import type { InstallationContext } from '#server/platform/db/context.ts';
import { type Bucket, spendTokens } from '#server/platform/db/rate-buckets.ts';
import { digest } from '#server/platform/digest.ts';
import { fromAddress, giveBack, takeAttempts, takeTry } from './attempts.ts';
import { type KnownPlace, knownPlace, type Place } from './known-places.ts';
import { noticeAttempts } from './notice-attempts.ts';
import { turnsOf } from './password-turns.ts';
import { matchesPassword } from './passwords.ts';
import { type Attempts, forgetAttempts } from './queries/attempts.ts';
import { findUserByEmail } from './queries/users.ts';
import { asksForCode, passSecondFactor } from './second-factor.ts';

type Slowing = Omit<Attempts, 'key'>;

/** The limit of wrong attempts in a row for one user from one place. */
const FROM_PLACE = {
  password: { free: 10, firstWaitSeconds: 30, mostWaitSeconds: 900 },
  // Six digits can be guessed, and a person who is asked for them has the password.
  code: { free: 5, firstWaitSeconds: 30, mostWaitSeconds: 3600 },
} as const satisfies Record<string, Slowing>;
/** The limit for one user from all places together, except those where they signed in before. */
const FROM_STRANGERS = {
  password: { free: 30, firstWaitSeconds: 30, mostWaitSeconds: 900 },
  code: { free: 15, firstWaitSeconds: 60, mostWaitSeconds: 3600 },
} as const satisfies Record<keyof typeof FROM_PLACE, Slowing>;
/** The limit for one network address over all users, against one password that is tried on many. */
const FROM_ADDRESS = { capacity: 100, perSecond: 1 / 6 } as const;
/** The limit of one user's right passwords, each of which takes as much of a processor as a wrong one. */
const OF_USER = { capacity: 50, perSecond: 1 / 2 } as const;

type Secret = keyof typeof FROM_PLACE;

/**
 * The user with an email address and password, and the version of their sign-ins, which a new password raises. Null,
 * after the same work, if the user is unknown or disabled or the password is wrong. Throws `second_factor` if a code is
 * missing or wrong; `rate_limited` after too many attempts, never permanently, and not for strangers' attempts where the
 * user signed in before.
 */
export async function verifyPassword(
  { database }: InstallationContext,
  params: { email: string; password: string; code?: string | undefined } & Place,
): Promise<{ userId: string; version: number } | null> {
  const { password, address, code } = params;
  const email = params.email.trim().toLowerCase();
  const place = await knownPlace({ database }, { email, place: params });
  const crowd: Bucket = { key: fromAddress('sign-in', address), ...FROM_ADDRESS };
  // Counted before the password is checked, so that concurrent attempts cannot exceed the limit.
  if (!place.sameBrowser) await takeTry({ database }, crowd, 'sign in');
  const whose = `${place.sameBrowser} ${place.known} ${email}`;
  const checks: Bucket = { key: `password-checks:${digest(whose)}`, ...OF_USER };
  // What is refused here writes nothing. Attempts from elsewhere use none of these while they are slowed down.
  if (place.sameBrowser) await takeTry({ database }, checks, 'sign in');
  const tries = attemptsOf('password', email, place);
  const slowed = await takeAttempts({ database }, tries, 'sign in');
  const user = await findUserByEmail(database.db, { email });
  const matches = async () => {
    if (!place.sameBrowser) await takeTry({ database }, checks, 'sign in');
    return matchesPassword(user?.passwordHash ?? null, password, turnsOf(email, address, place.known));
  };
  const right = await matches().catch(async (error: unknown) => {
    await giveBack({ database }, tries);
    throw error;
  });
  if (!right || !user) {
    if (slowed) void noticeAttempts({ database }, { email, at: 'password', address });
    return null;
  }
  await giveBack({ database }, tries);
  const passed = await checkCode(database, { userId: user.id, email, code, place, address });
  if (passed === 'missing' || passed === 'passed') {
    // A wrong code counts as an attempt; a missing one, for which the form then asks, does not.
    if (!place.sameBrowser) await spendTokens(database, crowd, -1);
  }
  if (passed === 'wrong')
    throw new AppError('second_factor', 'This code is wrong or was already used. Enter the next one.');
  if (passed === 'missing')
    throw new AppError('second_factor', 'Enter the code from your authenticator app.');
  await forgetAttempts(database, { keys: ownKeys(email, place) });
  return { userId: user.id, version: user.sessionVersion };
}

async function checkCode(
  database: Database,
  params: {
    userId: string;
    email: string;
    code: string | undefined;
    place: KnownPlace;
    address: string | null;
  },
): Promise<'passed' | 'missing' | 'wrong'> {
  const { userId, email, code, place, address } = params;
  const user = { database, userId };
  if (!code?.trim() || !(await asksForCode(user))) return passSecondFactor(user, { code });
  const tries = attemptsOf('code', email, place);
  const slowed = await takeAttempts({ database }, tries, 'type the code');
  const passed = await passSecondFactor(user, { code });
  if (passed === 'passed') await giveBack({ database }, tries);
  else if (slowed) void noticeAttempts({ database }, { email, at: 'code', address });
  return passed;
}

function attemptsOf(secret: Secret, email: string, { known, countedBy }: KnownPlace): Attempts[] {
  const here = { key: placeKey(secret, email, countedBy), ...FROM_PLACE[secret] };
  return known ? [here] : [here, { key: `${secret}:${digest(email)}`, ...FROM_STRANGERS[secret] }];
}

const placeKey = (secret: Secret, email: string, countedBy: string) =>
  `${secret}:${digest(`${countedBy} ${email}`)}`;

/** The counts of a user at a place, which a successful sign-in resets. */
export function ownKeys(email: string, { countedBy }: KnownPlace): string[] {
  return (['password', 'code'] as const).map((secret) => placeKey(secret, email.toLowerCase(), countedBy));
}
