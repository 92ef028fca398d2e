import { readFile } from 'node:fs/promises';
import type { Page } from 'playwright/test';
import { expect, test } from './test.ts';

test('a refused request is on the page within 2 s, with its answer word for word', async ({
  newCustomer,
  linkNumber,
  signIn,
  stack,
}) => {
  const customer = await newCustomer();
  const { instance, key } = await linkNumber(customer);
  const post = (body: object) =>
    fetch(`${stack.url}/v1/messages/text`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  expect((await post({ to: '4915228817386', body: 'Your order is ready.' })).status).toBe(200);
  const page = await signIn(customer);
  await page.goto('/requests');
  const accepted = page.getByRole('row', { name: 'POST /messages/text' });
  await expect(accepted).toContainText('200');
  await expect(page.getByRole('columnheader', { name: 'Started' })).toBeVisible();
  await expect(accepted.getByRole('link', { name: /^(Sent|Delivered|Read)$/ })).toHaveAttribute(
    'href',
    /^\/messages\/msg_\w+$/,
  );
  for (const width of [1024, 390, 1280]) {
    await page.setViewportSize({ width, height: 720 });
    await expect(accepted.getByText('4915228817386').filter({ visible: true })).toHaveCount(1);
    await expect(accepted.getByRole('link', { name: /^(Sent|Delivered|Read)$/ })).toHaveCount(1);
  }

  await stack.cli('sandbox', 'phone', '--instance', instance, '--do', 'unlink');
  let requestId = '';
  let answer = '';
  await expect
    .poll(async () => {
      const refused = await post({ to: '4915228817386', body: 'Private words' });
      requestId = refused.headers.get('x-request-id') ?? '';
      answer = ((await refused.json()) as { error: string }).error;
      // A message that was accepted before the number lost its link is not a refused request.
      return refused.headers.has('x-message-id') ? 'accepted' : refused.status;
    })
    .toBe(409);
  const row = page.getByRole('row', { name: 'POST /messages/text' }).first();
  await expect(row.getByRole('cell', { name: '4915228817386' })).toBeVisible();
  await expect(row).toContainText('not_connected', { timeout: 2000 });

  await row.getByRole('button').click();
  const dialog = page.getByRole('dialog');
  await expect(dialog).toContainText(answer);
  await expect(dialog).toContainText('What to do');
  await expect(dialog).toContainText(requestId);
  await expect(dialog.getByRole('definition').filter({ hasText: /^4915228817386$/ })).toBeVisible();
  await expect(dialog).not.toContainText('Private words');
  await page.waitForURL(`**/requests?open=${requestId}`);
  await page.goBack();
  await expect(dialog).toHaveCount(0);
  await page.goForward();
  await expect(dialog).toContainText(answer);
  await dialog.getByRole('button', { name: 'Close' }).click();
  await expect(page).toHaveURL(/\/requests$/);

  const search = page.getByLabel('X-Request-Id or recipient');
  await search.fill(requestId);
  await expect(page.getByRole('row')).toHaveCount(2);
  await search.fill('+49 152 2881');
  await page.waitForURL('**/requests?show=refused&recipient=*');
  await expect(page.getByRole('row').nth(1)).toContainText('not_connected');
  await page.goto('/');
  const attention = page.getByRole('region', { name: 'Needs attention' });
  await expect(attention).toContainText('1 refused request');
  await attention.getByRole('button', { name: /^Dismiss the refused requests of / }).click();
  await expect(attention).not.toContainText('refused request');
  await expect(attention).toBeFocused();
  await page.reload();
  await expect(attention).toContainText('No message needs attention.');
  await page.getByRole('link', { name: /^\d+ refused, / }).click();
  await page.waitForURL('**/requests?show=refused&number=*');
  await expect(page.getByRole('cell', { name: 'not_connected' }).first()).toBeVisible();
  const refused = await saved(page);
  expect(refused).toContain(`,${requestId},POST /messages/text,409,not_connected,`);
  expect(refused).not.toContain(',200,');
  await page.goto('/messages?kind=text');
  expect(await saved(page)).toMatch(/,msg_\w+,num_\w+,.*,text,(sent|delivered|read),/);
});

test('while a search is under way, no rows of another search are shown', async ({
  newCustomer,
  linkNumber,
  signIn,
  stack,
}) => {
  const customer = await newCustomer();
  const { key } = await linkNumber(customer);
  const get = async () => {
    const answer = await fetch(`${stack.url}/v1/status`, { headers: { authorization: `Bearer ${key}` } });
    return answer.headers.get('x-request-id') ?? '';
  };
  const [first, second] = [await get(), await get()];
  const page = await signIn(customer);
  await page.goto('/requests');
  const search = page.getByLabel('X-Request-Id or recipient');
  await search.fill(first);
  await expect(page.getByRole('row')).toHaveCount(2);
  const answered = Promise.withResolvers<void>();
  await page.route(
    (url) => decodeURIComponent(url.href).includes(second),
    async (route) => {
      await answered.promise;
      await route.continue();
    },
  );
  await search.fill(second);
  await expect(page.getByText('Searching')).toBeVisible();
  await expect(page.getByRole('row')).toHaveCount(0);
  answered.resolve();
  await expect(page.getByRole('row')).toHaveCount(2);
  await expect(page.getByText('Searching')).toHaveCount(0);
});

test('a period keeps its beginning while the page is open, so that older pages stay', async ({
  newCustomer,
  linkNumber,
  signIn,
  stack,
}) => {
  const customer = await newCustomer();
  const { key } = await linkNumber(customer);
  const get = () => fetch(`${stack.url}/v1/status`, { headers: { authorization: `Bearer ${key}` } });
  await get();
  const page = await signIn(customer);
  const asked: string[] = [];
  page.on('request', (request) => {
    const url = decodeURIComponent(request.url());
    if (url.includes('requests.list')) asked.push(/"since":"([^"]+)"/.exec(url)?.[1] ?? 'none');
  });
  await page.clock.install();
  await page.goto('/requests?period=hour');
  await expect(page.getByRole('row', { name: 'GET /status' })).toBeVisible();
  for (const times of [2, 3]) {
    await page.clock.runFor(75_000);
    await get();
    await expect.poll(() => asked.length).toBeGreaterThanOrEqual(times);
  }
  expect(new Set(asked).size).toBe(1);
  expect(asked[0]).not.toBe('none');
});

test('requests are filtered by answer and time, and new ones appear above a long list', async ({
  newCustomer,
  linkNumber,
  signIn,
  stack,
}) => {
  const customer = await newCustomer();
  const { key } = await linkNumber(customer);
  const get = (path: string) =>
    fetch(`${stack.url}/v1${path}`, { headers: { authorization: `Bearer ${key}` } });
  for (let sent = 0; sent < 120; sent += 20)
    await Promise.all(Array.from({ length: 20 }, () => get('/messages')));
  expect((await get('/messages/msg_unknown')).status).toBe(404);
  const page = await signIn(customer);
  await page.goto('/requests');
  await page.getByRole('button', { name: 'Show older requests' }).click();
  await expect(page.getByRole('row')).toHaveCount(122);
  expect((await get('/status')).status).toBe(200);
  await expect(page.getByRole('row').nth(1)).toContainText('GET /status', { timeout: 2000 });
  await expect(page.getByRole('row')).toHaveCount(123);

  const choose = async (label: string, option: string) => {
    await page.getByRole('combobox', { name: label, exact: true }).click();
    await page.getByRole('option', { name: option, exact: true }).click();
  };
  await choose('Response', '4xx refused');
  await expect(page.getByRole('row')).toHaveCount(2);
  await expect(page.getByRole('row').nth(1)).toContainText('not_found');
  await choose('Response', '409');
  await expect(page.getByText('No requests match these filters.')).toBeVisible();
  await choose('Response', 'All responses');
  await choose('Period', 'Custom');
  await page.getByLabel('To', { exact: true }).fill('2026-01-01T00:00');
  await expect(page.getByText('No requests match these filters.')).toBeVisible();
  await page.getByLabel('To', { exact: true }).fill('');
  await page.getByLabel('From', { exact: true }).fill('2026-01-01T00:00');
  await expect(page.getByRole('row', { name: 'GET /status' })).toBeVisible();
  await page.waitForURL(/period=range&from=2026-01-01T00%3A00$/);
});

test('once another user has signed in, a page downloads nothing as that user', async ({
  newCustomer,
  signIn,
}) => {
  const [before, now] = [await newCustomer(), await newCustomer()];
  const page = await signIn(before);
  const { request } = page.context();
  await page.goto('/requests');
  const address = await page.getByRole('link', { name: 'Export CSV' }).getAttribute('href');
  expect((await request.get(`${address}`)).status()).toBe(200);
  const { csrfToken } = await (await request.get('/api/auth/csrf')).json();
  const form = { email: now.email, password: now.password, csrfToken, callbackUrl: '/', json: 'true' };
  expect((await request.post('/api/auth/callback/credentials', { form })).ok()).toBe(true);
  // Also of the account of both.
  const own = new URL(`${address}`, page.url());
  own.searchParams.delete('account');
  expect((await request.get(own.href)).status()).toBe(401);
});

/** The CSV file that the page offers. */
async function saved(page: Page): Promise<string> {
  const download = page.waitForEvent('download');
  await page.getByRole('link', { name: 'Export CSV' }).click();
  return readFile(await (await download).path(), 'utf8');
}
