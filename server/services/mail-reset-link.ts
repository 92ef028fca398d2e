import { AppError } from '#server/core/errors.ts';
import type { Database } from '#server/db/client.ts';
import { log } from '#server/log.ts';
import { mailer as installed, type Mailer } from '#server/mail/mailer.ts';
import { settings } from '#server/settings.ts';
import { makeResetLink } from './change-password.ts';
import { digest, takeTry } from './verify-password.ts';

/** Mails that may be asked for from one address, then one more every three minutes; roomy, for offices share one. */
const FROM_ADDRESS = { capacity: 20, perSecond: 1 / 180 } as const;
/** And to one person, then one more every ten minutes: nobody's letter box is filled. */
const TO_PERSON = { capacity: 3, perSecond: 1 / 600 } as const;

/**
 * Mails a link to a new password to whoever asks with their e-mail address. The answer comes before anything
 * is looked up, so that neither its words nor its time tell whether somebody has it; `done` settles when the
 * mail has left, or was not to be sent. Throws `unavailable` where no mail can be sent, and `rate_limited`.
 */
export async function mailResetLink(
  database: Database,
  params: { email: string; address: string | null; mailer?: Mailer | null },
): Promise<{ done: Promise<void> }> {
  const { email, address, mailer = installed() } = params;
  if (!mailer)
    throw new AppError('unavailable', 'No mail can be sent from here. Ask the administrator for a link.');
  const from = { key: `mail-reset:${digest(address ?? 'unknown')}`, ...FROM_ADDRESS };
  const to = { key: `mail-reset:${digest(email.trim().toLowerCase())}`, ...TO_PERSON };
  for (const bucket of [from, to]) await takeTry(database, bucket, 'ask for a link');
  return { done: mailLink(database, mailer, email, address) };
}

async function mailLink(
  database: Database,
  mailer: Mailer,
  email: string,
  address: string | null,
): Promise<void> {
  try {
    const actor = { kind: 'system' } as const;
    const { link } = await makeResetLink(database, { email, actor });
    await mailer.send({ to: email.trim(), subject: 'Set a new password for Wirebird', text: letter(link) });
  } catch (error) {
    // Nobody of that name: the same silence as for somebody.
    if (error instanceof AppError && error.code === 'not_found') return;
    log.error({ err: error, from: address }, 'a link to a new password could not be mailed');
  }
}

function letter(link: string): string {
  return `Somebody, probably you, asked for a new password at ${settings.publicUrl}.

Set it here, once, within 30 minutes:
${link}

If it was not you, do nothing: your password stays as it is.
`;
}
