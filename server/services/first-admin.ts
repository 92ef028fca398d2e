import { createHash, randomBytes, timingSafeEqual } from 'node:crypto';
import { AppError } from '#server/core/errors.ts';
import type { Database } from '#server/db/client.ts';
import { settings } from '#server/settings.ts';
import { deleteFact, lockFact, putFact } from '#server/store/installation.ts';
import { findUser, hasAdmin, makeAdmin } from '#server/store/users.ts';
import { audit } from './audit.ts';

const FACT = 'first_admin_link';

/**
 * The link that makes whoever opens it, signed in, the administrator; null when there is one. Each call makes
 * a new link and voids the one before; only its hash is stored.
 */
export async function firstAdminLink(database: Database): Promise<string | null> {
  if (await hasAdmin(database.db)) return null;
  const token = randomBytes(24).toString('base64url');
  await putFact(database.db, { key: FACT, value: digest(token) });
  return `${settings.publicUrl}/setup?token=${token}`;
}

/** Whether this is the token of the link that waits to be used. */
export async function isFirstAdminLink(database: Database, params: { token: string }): Promise<boolean> {
  const stored = await database.db.transaction((tx) => lockFact(tx, { key: FACT }));
  return stored !== null && same(stored, digest(params.token)) && !(await hasAdmin(database.db));
}

/**
 * Makes a signed-in user the administrator. Throws `not_found` when the link was used, replaced by a later
 * start, or never ours.
 */
export async function claimAdmin(
  database: Database,
  params: { token: string; userId: string; address?: string | null },
): Promise<void> {
  const { token, userId, address = null } = params;
  await database.db.transaction(async (tx) => {
    const stored = await lockFact(tx, { key: FACT });
    if (stored === null || !same(stored, digest(token)) || (await hasAdmin(tx)))
      throw new AppError(
        'not_found',
        'This link is not valid any more. Start the product again to get a new one, as long as there is no administrator.',
      );
    if (!(await findUser(tx, { userId })))
      throw new AppError('unauthorized', 'You are signed out. Sign in again.');
    await makeAdmin(tx, { userId });
    await deleteFact(tx, { key: FACT });
    await audit(tx, {
      actor: { kind: 'user', userId, address },
      accountId: null,
      action: 'user.become_admin',
      target: userId,
      detail: null,
    });
  });
}

function digest(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}

function same(a: string, b: string): boolean {
  return a.length === b.length && timingSafeEqual(Buffer.from(a), Buffer.from(b));
}
