import { audit } from '#server/accounts/audit.ts';
import type { InstallationContext } from '#server/platform/db/context.ts';
import { takeTokens } from '#server/platform/db/rate-buckets.ts';
import { log } from '#server/platform/log.ts';
import { mailer as installed, type Mailer } from '#server/platform/mail/mailer.ts';
import { attemptsMail } from './mails.ts';
import { findUserByEmail } from './queries/users.ts';

/** A user gets a mail about each of the two once a day. */
const ONCE_A_DAY = { capacity: 1, perSecond: 1 / 86_400 } as const;

/**
 * Writes to the audit log that attempts to sign in as a user are slowed down, and mails the user. Never rejects
 * and is not awaited, so that an answer does not reveal whether the user exists.
 */
export async function noticeAttempts(
  { database }: InstallationContext,
  params: { email: string; at: 'password' | 'code'; address: string | null; mailer?: Mailer | null },
): Promise<void> {
  const { email, at, address, mailer = installed() } = params;
  try {
    const user = await findUserByEmail(database.db, { email });
    if (!user) return;
    const once = { key: `noticed:${at}:${user.id}`, ...ONCE_A_DAY };
    if (!(await takeTokens(database, once)).taken) return;
    const detail = { at, mailed: mailer !== null };
    const actor = { kind: 'system', address } as const;
    const action = 'user.attempts';
    await audit(database.db, { actor, accountId: null, action, target: user.id, detail });
    await mailer?.send(attemptsMail(user.email, at, address));
  } catch (error) {
    log.warn({ err: error, at }, 'repeated attempts to sign in could not be noted or mailed');
  }
}
