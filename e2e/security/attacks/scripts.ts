import { expect, type Page, test } from 'playwright/test';
import { allPlaces } from '../../places.ts';
import { signIn } from '../dashboard-client.ts';
import { plantRows, plantTexts } from '../planted-texts.ts';
import { type Attacked, SCRIPT } from './attacked.ts';

/** Columns with texts that a page shows. */
const SHOWN = [
  ...['accounts.name', 'alerts.facts', 'api_keys.name', 'audit_actors.address', 'invitations.note'],
  ...['message_events.detail', 'number_groups.error', 'numbers.label'],
  ...['payments.note', 'payments.reference', 'processes.host', 'processes.version'],
  ...['sign_ins.address', 'users.email', 'audit_log.action', 'audit_log.target', 'audit_log.detail'],
  'number_groups.groups',
];
/** Values that a row keeps, because they cannot be changed or are no text. */
const UNPLANTED = new Set([
  'audit_log.action',
  'audit_log.target',
  'audit_log.detail',
  'number_groups.groups',
  'alerts.facts',
]);

async function signInOn(page: Page, url: string, owner: Attacked['owner']): Promise<void> {
  await page.goto('/sign-in');
  await page.getByLabel('Email').fill(owner.email);
  await page.getByLabel('Password').fill(owner.password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL(`${url}/`);
}

/** Scripts in every text that a page shows. Runs last, because it replaces every text. */
export function scriptsDoNotRun(attacked: () => Attacked): void {
  test('text that users write is shown as written, and never executed', async ({ browser }) => {
    const { stack, owner, post, ids } = attacked();
    const instance = ids.numberId;
    const client = await signIn(stack.url, owner);
    expect(
      (await client.mutate('numbers.setLabel', { numberId: instance, label: SCRIPT.slice(0, 60) })).status,
    ).toBeLessThan(500);
    const to = '491700000042';
    const samples = await stack.cli<Record<string, string>>('sandbox', 'samples');
    const sent = [
      await post('text', { to, body: SCRIPT }),
      await post('contact', { to, contactName: SCRIPT, contactPhone: '491700000043' }),
      await post('location', { to, latitude: 1, longitude: 1, name: SCRIPT, address: SCRIPT }),
      await post('document', {
        to,
        url: samples.document ?? samples.offer,
        filename: `${SCRIPT}.html`,
        caption: SCRIPT,
      }),
      await post('image', { to, url: samples.image ?? samples.photo, caption: SCRIPT }),
    ];
    expect(sent.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200]);
    const messageId = sent[3]?.headers.get('x-message-id') ?? '';
    expect(
      (await client.mutate('sandbox.receive', { numberId: instance, from: '491700000044', body: SCRIPT }))
        .status,
    ).toBe(200);

    const context = await browser.newContext({ baseURL: stack.url });
    const page = await context.newPage();
    const complaints: string[] = [];
    page.on('dialog', (dialog) => {
      complaints.push(`dialog ${dialog.message()}`);
      void dialog.dismiss();
    });
    await signInOn(page, stack.url, owner);
    // The text is visible, so the page did show it.
    const where = [
      { at: '/', shows: false },
      { at: '/numbers', shows: true },
      { at: `/numbers/${instance}`, shows: true },
      { at: '/keys', shows: true },
      { at: '/messages', shows: true },
      { at: `/messages/${messageId}`, shows: true },
      { at: `/sandbox/${instance}`, shows: true },
      { at: '/admin/audit', shows: false },
    ];
    for (const { at, shows } of where) {
      await page.goto(at);
      await expect(page.getByRole('heading', { level: 1 }).first()).toBeVisible();
      if (shows) await expect(page.getByText('onerror=').first()).toBeVisible();
      expect(await page.evaluate(() => (window as { __xss?: number }).__xss), at).toBe(undefined);
      expect(await page.locator('img[onerror], [onload], script:not([nonce]):not([src])').count(), at).toBe(
        0,
      );
    }
    expect(complaints).toEqual([]);
    await page.goto('/account/settings');
    await expect(page.getByRole('heading', { name: 'Data retention' })).toBeVisible();
    await context.close();
  });

  test('any text in any table is shown as it is, and never executed', async ({ browser }) => {
    test.setTimeout(240_000);
    const { stack, owner, database, ids } = attacked();
    const context = await browser.newContext({ baseURL: stack.url });
    const page = await context.newPage();
    await signInOn(page, stack.url, owner);
    const textOf = (column: string) => `«${column}»${SCRIPT}`;
    const { instance: blocked } = await stack.cli<{ instance: string }>(
      ...['number', 'add', '--email', owner.email, '--network', 'sandbox'],
    );
    await database.sql`update numbers set status = 'BLOCKED' where id = ${blocked}`;
    await plantRows(database, { ...ids, text: textOf });
    const planted = await plantTexts(database, textOf);

    const seen = new Set<string>();
    const ran: string[] = [];
    const look = async (at: string) => {
      const shown = await page.evaluate(() => ({
        text: [document.body, ...document.querySelectorAll('[title],[aria-label]')].map((element) =>
          element === document.body
            ? document.body.innerText
            : `${element.getAttribute('title')} ${element.getAttribute('aria-label')}`,
        ),
        ran: (window as { __xss?: number }).__xss !== undefined,
        made: document.querySelectorAll('img[onerror], [onload], script:not([nonce]):not([src])').length,
      }));
      for (const [, column] of shown.text.join('\n').matchAll(/«([\w.]+)»/g)) seen.add(column ?? '');
      if (shown.ran || shown.made > 0) ran.push(at);
    };
    const places = allPlaces().filter(({ group }) => group !== 'auth');
    for (const at of [...places.map((place) => place.path(ids)), `/numbers/${blocked}`]) {
      await page.goto(at);
      await expect(page.getByRole('heading', { level: 1 }).first()).toBeAttached();
      await expect(page.locator('[aria-busy=true]')).toHaveCount(0);
      await look(at);
    }
    await page.goto('/');
    await page.getByRole('button', { name: /alert/i }).first().click();
    await expect(page.getByRole('dialog')).toContainText('«');
    await look('the alerts');
    await context.close();
    expect(ran).toEqual([]);
    // The stored text is visible on its page.
    for (const column of SHOWN) expect(planted.includes(column) || UNPLANTED.has(column), column).toBe(true);
    expect([...SHOWN].filter((column) => !seen.has(column))).toEqual([]);
  });
}
