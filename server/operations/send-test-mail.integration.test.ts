import { afterEach, beforeEach, expect, test } from 'vitest';
import { openMailer } from '#server/platform/mail/mailer.ts';
import { settings } from '#server/settings.ts';
import { startSmtpServer } from '#server/testing/smtp.ts';
import { sendTestMail } from './send-test-mail.ts';

let smtp: Awaited<ReturnType<typeof startSmtpServer>>;
beforeEach(async () => {
  smtp = await startSmtpServer();
});
afterEach(() => smtp.close());
const mailer = () => openMailer({ smtpUrl: smtp.url, from: 'Wirebird <alerts@wirebird.example>' });
const to = 'boss@shop.example';

test('the test mail arrives', async () => {
  expect(await sendTestMail({ to, mailer: mailer() })).toEqual({ to });
  expect(smtp.mails).toHaveLength(1);
  expect(smtp.mails[0]).toMatchObject({ to: [to], headers: { subject: 'Test email from Wirebird' } });
  expect(smtp.mails[0]?.html).toContain(`${settings.publicUrl}/admin/settings`);
});

test('a refusal names the code and what to check', async () => {
  smtp.refuse(true);
  await expect(sendTestMail({ to, mailer: mailer() })).rejects.toMatchObject({
    code: 'unavailable',
    message:
      'The mail server refused the email with 451. Check SMTP_URL, its user and password, and MAIL_FROM.',
  });
});

test('an unreachable server and a missing one are different errors', async () => {
  const sender = mailer();
  await smtp.close();
  await expect(sendTestMail({ to, mailer: sender })).rejects.toThrow(
    /did not respond \(E[A-Z]+\)\. Check the host/,
  );
  await expect(sendTestMail({ to, mailer: null })).rejects.toThrow('Set SMTP_URL and MAIL_FROM');
  smtp = await startSmtpServer();
});
