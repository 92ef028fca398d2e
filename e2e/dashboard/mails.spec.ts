import { digestOf, mailOf } from '#server/alerts/mail-alerts.ts';
import { ALERTS, type AlertKind } from '#server/core/alerts.ts';
import { testMail } from '#server/operations/send-test-mail.ts';
import { attemptsMail, resetMail, signUpMail, signUpOfUserMail } from '#server/people/mails.ts';
import { letterHtml } from '#server/platform/mail/letter.ts';
import type { Mail } from '#server/platform/mail/mailer.ts';
import { ALERT_EXAMPLES } from '#server/testing/alert-examples.ts';
import { violations } from '../axe.ts';
import { expect, test } from '../test.ts';

/** Wider than a phone. */
const LONG = { url: `https://heron.example/${'a-long-path-'.repeat(12)}`, why: 'gone' };

const dueOf = (kind: AlertKind) => ({
  ...{ alertId: 'alt_1', userId: 'usr_1', email: 'ann@heron.example', kind, accountId: 'acc_1' },
  ...{ accountName: 'Heron & Sons', member: true, timeZone: 'Europe/Berlin', numberId: 'num_1' },
  ...{ numberLabel: 'Shop', phoneNumber: '4915110000001', waiting: 3, scheduled: 0, refused: 12, tries: 1 },
  ...{
    unknown: 2,
    to: ['4915110000001', '4915110000002'],
    recipients: 4,
    answer: '{"error":"This number is logged out. Nothing was sent."}',
    countedUntil: new Date('2026-11-23T02:14:00Z'),
    cancelled: kind === 'plan_paid' || kind === 'plan_ended' ? 5 : null,
    cancelledTo: ['4915110000003'],
    cancelledRecipients: 5,
    membersMailed: true,
    numbersIncluded: 2,
  },
  ...{
    digest: false,
    facts: kind === 'webhook_off' ? LONG : ALERT_EXAMPLES[kind][0],
    happenedAt: new Date('2026-11-23T02:14:00Z'),
  },
});
const KINDS = Object.keys(ALERTS) as AlertKind[];
const TO = 'ann@heron.example';
const LINK = `https://wirebird.example/confirm#${'x'.repeat(32)}`;
const MAILS: Record<string, Mail> = {
  ...Object.fromEntries(KINDS.map((kind) => [kind, mailOf(dueOf(kind))])),
  digest: digestOf((['logged_out', 'recovered', 'plan_7_days'] as const).map(dueOf)),
  'sign-up': signUpMail({ email: TO, invitationHash: null }, LINK),
  'sign-up of a user': signUpOfUserMail({ email: TO, invitationHash: 'hash' }),
  'new password': resetMail(TO, LINK),
  'wrong passwords': attemptsMail(TO, 'password', '192.0.2.1'),
  'wrong codes': attemptsMail(TO, 'code', null),
  test: testMail(TO),
};

for (const colorScheme of ['light', 'dark'] as const) {
  test(`each mail is readable, on a phone too: ${colorScheme}`, async ({ page }, info) => {
    await page.emulateMedia({ colorScheme });
    for (const [name, { letter }] of Object.entries(MAILS)) {
      for (const width of [390, 900]) {
        await page.setViewportSize({ width, height: 700 });
        await page.setContent(letterHtml(letter));
        await expect(page.getByRole('heading', { level: 1 })).toHaveText(letter.title);
        const links = [...(letter.sections ?? []).map(({ link }) => link), letter.button, letter.link];
        await expect(page.getByRole('link')).toHaveCount(links.filter(Boolean).length);
        const { label, href } = letter.button;
        await expect(page.getByRole('link', { name: label })).toHaveAttribute('href', href);
        const wide = await page.evaluate(() => document.documentElement.scrollWidth);
        expect([name, wide]).toEqual([name, width]);
      }
      expect([name, await violations(page)]).toEqual([name, []]);
      const body = await page.screenshot({ fullPage: true });
      await info.attach(`${name}-${colorScheme}`, { body, contentType: 'image/png' });
    }
  });
}
