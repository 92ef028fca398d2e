import { AppError } from '#server/core/errors.ts';
import { mailer as installed, type Mail, type Mailer } from '#server/platform/mail/mailer.ts';
import { settings } from '#server/settings.ts';

/**
 * Mails the administrator a test. Throws `unavailable`, which says what failed, if the mail server does not take
 * it.
 */
export async function sendTestMail({
  to,
  mailer = installed(),
}: {
  to: string;
  mailer?: Mailer | null;
}): Promise<{ to: string }> {
  if (!mailer)
    throw new AppError(
      'unavailable',
      'This server sends no email. Set SMTP_URL and MAIL_FROM, then restart.',
    );
  await mailer.send(testMail(to)).catch((error: unknown) => {
    throw new AppError('unavailable', failureOf(error));
  });
  return { to };
}

export function testMail(to: string): Mail {
  return {
    to,
    subject: 'Test email from Wirebird',
    letter: {
      title: 'Email works',
      paragraphs: [
        `An administrator asked for this test email at ${settings.publicUrl}.`,
        'Alerts, links to confirm an address and links to a new password arrive the same way.',
      ],
      button: { label: 'Open the settings', href: `${settings.publicUrl}/admin/settings` },
    },
  };
}

function failureOf(error: unknown): string {
  const { code, responseCode } = error as { code?: unknown; responseCode?: unknown };
  if (typeof responseCode === 'number')
    return `The mail server refused the email with ${responseCode}. Check SMTP_URL, its user and password, and MAIL_FROM.`;
  const why = typeof code === 'string' && /^E[A-Z]+$/.test(code) ? ` (${code})` : '';
  return `The mail server did not respond${why}. Check the host and the port in SMTP_URL.`;
}
