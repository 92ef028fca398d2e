import { expect, test } from '../test.ts';

test('/docs explains and sends a message, without any external resource', async ({ page, api, stack }) => {
  const origins = new Set<string>();
  const complaints: string[] = [];
  page.on('request', (request) => {
    if (!request.url().startsWith('data:')) origins.add(new URL(request.url()).origin);
  });
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.message));
  await page.goto(`${stack.url}/docs`);

  const row = page.getByRole('row', { name: /X-Send-Outcome: unknown/ });
  await expect(row).toContainText('Never retry it with a new key');

  await page.getByRole('button', { name: 'Authorize' }).click();
  await page.locator('.modal-ux input').first().fill(api.number.key);
  await page.locator('.modal-ux .btn.authorize').first().click();
  await page.locator('.modal-ux .btn-done').first().click();
  await page.locator('#operations-Messages-sendText .opblock-summary-control').click();
  await page.getByRole('button', { name: 'Execute' }).click();
  await expect(page.locator('.live-responses-table')).toContainText('"status": "sent"');
  expect(await api.lastDelivered()).toMatchObject({ type: 'text', to: '4915228817386@c.us' });

  expect([...origins]).toEqual([stack.url]);
  expect(complaints).toEqual([]);
});

test('on a phone, the reference fits its width', async ({ page, stack }) => {
  await page.setViewportSize({ width: 390, height: 844 });
  await page.goto(`${stack.url}/docs`);
  await expect(page.locator('.opblock').first()).toBeVisible();
  expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(390);
});
