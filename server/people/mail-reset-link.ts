import { AppError } from '#server/core/errors.ts';
import type { Database } from '#server/platform/db/client.ts';
import { digest } from '#server/platform/digest.ts';
import { log } from '#server/platform/log.ts';
import { mailer as installed, type Mailer } from '#server/platform/mail/mailer.ts';
import { fromAddress, takeAttempts } from './attempts.ts';
import { makeResetLink } from './change-password.ts';
import { knownPlace, type Place } from './known-places.ts';
import { resetMail } from './mails.ts';

/** The limit of mails for one network address; high, because offices share one. */
const FROM_ADDRESS = { free: 20, firstWaitSeconds: 180, mostWaitSeconds: 3600 } as const;
/** The limit for one person, from strangers and from each known place, so that no mailbox is flooded. */
const TO_PERSON = { free: 3, firstWaitSeconds: 600, mostWaitSeconds: 3600 } as const;

/**
 * Mails a link that sets a new password. The answer comes before the address is looked up, so that neither its
 * words nor its time reveal whether a user has it; `done` settles after the mail. Throws `unavailable` if no mail
 * can be sent, and `rate_limited`.
 */
export async function mailResetLink(
  context: { database: Database } & Place,
  { email, mailer = installed() }: { email: string; mailer?: Mailer | null },
): Promise<{ done: Promise<void> }> {
  const { database, address, device } = context;
  if (!mailer)
    throw new AppError('unavailable', 'This server cannot send email. Ask the administrator for a link.');
  const who = email.trim().toLowerCase();
  const { known, sameBrowser, countedBy } = await knownPlace(
    { database },
    {
      email: who,
      place: { address, device },
    },
  );
  const from = { key: fromAddress('mail-reset', address), ...FROM_ADDRESS };
  const to = { key: `mail-reset:${digest(known ? `${countedBy} ${who}` : who)}`, ...TO_PERSON };
  await takeAttempts({ database }, sameBrowser ? [to] : [from, to], 'ask for a link');
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
    const { link } = await makeResetLink({ database, actor }, { email, mailed: true });
    await mailer.send(resetMail(email.trim(), link));
  } catch (error) {
    // An unknown address looks like a known one.
    if (error instanceof AppError && error.code === 'not_found') return;
    log.error({ err: error, from: address }, 'a link to a new password could not be mailed');
  }
}
