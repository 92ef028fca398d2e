import { audit } from '#server/accounts/audit.ts';
import type { InstallationContext } from '#server/platform/db/context.ts';
import { takeTokens } from '#server/platform/db/rate-buckets.ts';
import { log } from '#server/platform/log.ts';
import { mailer as installed, type Mail, type Mailer } from '#server/platform/mail/mailer.ts';
import { settings } from '#server/settings.ts';
import { findUserByEmail } from './queries/users.ts';

/** A user gets a mail about each of the two once a day. */
const ONCE_A_DAY = { capacity: 1, perSecond: 1 / 86_400 } as const;

/**
 * Writes to the audit log that attempts to sign in as a user are slowed down, and mails the user. Never rejects and is not
 * awaited, so that an answer does not reveal whether the user exists.
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
    const detail = { at, from: address ?? 'unknown', mailed: mailer !== null };
    const action = 'user.attempts';
    await audit(database.db, { actor: { kind: 'system' }, accountId: null, action, target: user.id, detail });
    await mailer?.send({ to: user.email, ...letter(at, address) });
  } catch (error) {
    log.warn({ err: error, at }, 'repeated attempts to sign in could not be noted or mailed');
  }
}

function letter(at: 'password' | 'code', address: string | null): Omit<Mail, 'to'> {
  const from = address === null ? '' : ` The last attempt came from ${address}.`;
  const forgot = { label: 'Set a new password', href: `${settings.publicUrl}/forgot` };
  if (at === 'code') {
    const title = 'Somebody knows your Wirebird password';
    const paragraphs = [
      `Somebody entered your correct password at ${settings.publicUrl} and several wrong codes.${from}`,
      'Your second factor has kept them out. Wirebird makes them wait longer after each attempt.',
    ];
    const todo = 'If it was not you, somebody knows your password. Set a new one now.';
    return { subject: title, letter: { title, paragraphs, todo, button: forgot } };
  }
  const title = 'Somebody is trying to sign in to Wirebird as you';
  const paragraphs = [
    `Somebody repeatedly entered wrong passwords for your user at ${settings.publicUrl}.${from}`,
    'Wirebird makes them wait longer after each attempt. In browsers where you signed in before, you can still sign in.',
  ];
  const todo = `If you forgot your password, set a new one. To be safer, switch on a second factor at ${settings.publicUrl}/account.`;
  return { subject: title, letter: { title, paragraphs, todo, button: forgot } };
}
