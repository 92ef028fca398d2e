import { randomBytes, timingSafeEqual } from 'node:crypto';
import { audit } from '#server/accounts/audit.ts';
import { accountsOf } from '#server/accounts/queries/accounts.ts';
import { AppError } from '#server/core/errors.ts';
import { OUTCOMES } from '#server/core/outcomes.ts';
import { activateForDays } from '#server/plans/activate-plan.ts';
import { planOf } from '#server/plans/plan-of.ts';
import type { Tx } from '#server/platform/db/client.ts';
import { type InstallationContext, inside, type VisitorContext } from '#server/platform/db/context.ts';
import { deleteFact, lockFact, putFact, putFactOnce } from '#server/platform/db/facts.ts';
import { digest } from '#server/platform/digest.ts';
import { settings } from '#server/settings.ts';
import { findUser, hasAdmin, makeAdmin } from './queries/users.ts';
import { signUp } from './sign-up.ts';

const FACT = 'first_admin_link';
/** Each web process that one command starts prints a link, and each link must work. */
const TOGETHER_MS = 10 * 60_000;
/** The plan of the first administrator's own account. */
const FIRST_PLAN = { numbersIncluded: 3, days: 365 } as const;

/**
 * A link that makes the signed-in person who opens it the administrator; null if there is one. Voids links that
 * are older than ten minutes. Only hashes are stored.
 */
export async function firstAdminLink(
  { database }: InstallationContext,
  now = Date.now(),
): Promise<string | null> {
  if (await hasAdmin(database.db)) return null;
  const token = randomBytes(24).toString('base64url');
  await database.db.transaction(async (tx) => {
    await putFactOnce(tx, { key: FACT, value: '' });
    const stored = (await lockFact(tx, { key: FACT })) ?? '';
    const recent = linksIn(stored).filter(({ madeAt }) => now - madeAt < TOGETHER_MS);
    const lines = [...recent, { madeAt: now, hash: digest(token) }].map(
      (link) => `${link.madeAt} ${link.hash}`,
    );
    await putFact(tx, { key: FACT, value: lines.join('\n') });
  });
  return `${settings.publicUrl}/setup?token=${token}`;
}

/** Whether this is the token of a link that still works. */
export async function isFirstAdminLink(
  { database }: InstallationContext,
  params: { token: string },
): Promise<boolean> {
  const stored = await database.db.transaction((tx) => lockFact(tx, { key: FACT }));
  return opens(stored, params.token) && !(await hasAdmin(database.db));
}

/**
 * Makes a signed-in user the administrator. Throws `not_found` for a link that does not work.
 */
export async function claimAdmin(
  { database, address, userId }: VisitorContext & { userId: string },
  { token }: { token: string },
): Promise<void> {
  await database.db.transaction((tx) => claimAdminWithin(tx, { token, userId, address }));
}

/**
 * Makes the administrator's user and account by the one-time link of the first start, also if sign-up is closed.
 * Throws `not_found` for a link that does not work, and what signing up throws.
 */
export async function setUp(
  { database, address }: VisitorContext,
  { token, ...user }: { token: string; email: string; password: string; accountName: string },
): Promise<void> {
  if (!(await isFirstAdminLink({ database }, { token }))) throw noLongerValid();
  await signUp(
    { database },
    {
      ...user,
      address,
      operator: { kind: 'system' },
      // Of several people who use the link at the same moment, one gets an account.
      within: (tx, { userId }) => claimAdminWithin(tx, { token, userId, address }),
    },
  );
}

/** {@link claimAdmin} in an open transaction. */
async function claimAdminWithin(
  tx: Tx,
  { token, userId, address }: { token: string; userId: string; address: string | null },
): Promise<void> {
  const stored = await lockFact(tx, { key: FACT });
  if (!opens(stored, token) || (await hasAdmin(tx))) throw noLongerValid();
  if (!(await findUser(tx, { userId })))
    throw new AppError('unauthorized', OUTCOMES.unauthorized.says.signedOut);
  await makeAdmin(tx, { userId });
  await deleteFact(tx, { key: FACT });
  await givePlan(tx, { userId });
  await audit(tx, {
    actor: { kind: 'user', userId, address },
    accountId: null,
    action: 'user.become_admin',
    target: userId,
  });
}

/**
 * The administrator of a new installation can send at once: the first of their own accounts gets a plan, if it has
 * none.
 */
async function givePlan(tx: Tx, { userId }: { userId: string }): Promise<void> {
  const [account] = await accountsOf(tx, { userId });
  if (!account || (await planOf(inside(tx, account))).state !== 'none') return;
  await activateForDays(tx, { accountId: account.accountId, actor: { kind: 'system' } }, FIRST_PLAN);
}

const noLongerValid = () =>
  new AppError(
    'not_found',
    'This link is no longer valid. If there is no administrator yet, start Wirebird again to get a new link.',
  );

function linksIn(stored: string): { madeAt: number; hash: string }[] {
  return stored.split('\n').flatMap((line) => {
    const [, madeAt, hash] = /^(\d+) (\S+)$/.exec(line) ?? [];
    return hash === undefined ? [] : [{ madeAt: Number(madeAt), hash }];
  });
}

function opens(stored: string | null, token: string): boolean {
  const hash = digest(token);
  return linksIn(stored ?? '').some((link) => same(link.hash, hash));
}

function same(a: string, b: string): boolean {
  return a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));
}
