import { mailOf } from '#server/alerts/mail-alerts.ts';
import { ALERTS, type AlertKind } from '#server/core/alerts.ts';
import { letterHtml } from '#server/platform/mail/letter.ts';
import { violations } from '../axe.ts';
import { expect, test } from '../test.ts';

const DETAILS: Partial<Record<AlertKind, string>> = {
  ...{
    plan_7_days: '2026-11-30',
    plan_1_day: '2026-11-24',
    plan_grace: '2026-11-22',
    plan_paid: '2027-11-22',
  },
  ...{ plan_enabled: '2027-11-22', to_decide: '3', waiting_cancelled: '12', failures: '2 unknown' },
  plan_requested: 'For 3 numbers. Contact: Ann Heron, +49 151 10000001\nNote: Two shops, from December',
  webhook_off: `https://heron.example/${'a-long-path-'.repeat(12)} answered 410.`,
};

for (const colorScheme of ['light', 'dark'] as const) {
  test(`each mail of an alert is readable, on a phone too: ${colorScheme}`, async ({ page }, info) => {
    await page.emulateMedia({ colorScheme });
    for (const kind of Object.keys(ALERTS) as AlertKind[]) {
      const { letter } = mailOf({
        ...{ alertId: 'alt_1', userId: 'usr_1', email: 'ann@heron.example', kind, accountId: 'acc_1' },
        ...{ accountName: 'Heron & Sons', member: true, timeZone: 'Europe/Berlin', numberId: 'num_1' },
        ...{ numberLabel: 'Shop', phoneNumber: '4915110000001', waiting: 3, tries: 1 },
        ...{ detail: DETAILS[kind] ?? null, happenedAt: new Date('2026-11-23T02:14:00Z') },
      });
      for (const width of [390, 900]) {
        await page.setViewportSize({ width, height: 700 });
        await page.setContent(letterHtml(letter));
        await expect(page.getByRole('heading', { level: 1 })).toHaveText(letter.title);
        await expect(page.getByRole('link')).toHaveAttribute('href', letter.button.href);
        const wide = await page.evaluate(() => document.documentElement.scrollWidth);
        expect([kind, wide]).toEqual([kind, width]);
      }
      expect([kind, await violations(page)]).toEqual([kind, []]);
      const body = await page.screenshot({ fullPage: true });
      await info.attach(`${kind}-${colorScheme}`, { body, contentType: 'image/png' });
    }
  });
}
