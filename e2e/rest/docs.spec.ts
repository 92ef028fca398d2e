import { expect, test } from '../test.ts';

test('the reference explains and sends a message, without any external resource', async ({
  page,
  api,
  stack,
}) => {
  const origins = new Set<string>();
  const complaints: string[] = [];
  page.on('request', (request) => {
    if (!request.url().startsWith('data:')) origins.add(new URL(request.url()).origin);
  });
  page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
  page.on('pageerror', (error) => complaints.push(error.message));
  await page.goto(`${stack.url}/docs`);

  const row = page.getByRole('row', { name: /X-Send-Outcome: unknown/ });
  await expect(row).toContainText('sends nothing while the outcome is unknown');

  const endpoint = page.getByRole('region', { name: 'Send a text' });
  await expect(endpoint.getByText('at most 8,000 characters')).toBeVisible();
  await endpoint.getByText('502', { exact: true }).click();
  await expect(endpoint.getByText('WhatsApp has not confirmed the message.')).toBeVisible();

  await endpoint.getByRole('button', { name: 'Try it' }).click();
  const send = endpoint.getByRole('button', { name: 'Send', exact: true });
  await expect(send).toBeDisabled();
  await page.getByLabel('Your API key').fill(api.number.key);
  await expect(page.getByText('you can try requests on this page')).toBeVisible();
  await endpoint.getByRole('tab', { name: 'TypeScript' }).click();
  await expect(endpoint.getByRole('tabpanel')).toContainText(`apiKey: "${api.number.key}"`);
  await send.click();
  await expect(endpoint.getByRole('status').last()).toContainText('"status": "sent"');
  await expect(endpoint.getByRole('status').last()).toContainText('X-Message-Id: msg_');
  expect(await api.lastDelivered()).toMatchObject({ type: 'text', to: '4915228817386@c.us' });

  expect([...origins]).toEqual([stack.url]);
  expect(complaints).toEqual([]);
});

test('the search leads to endpoints, error codes, headers and guides', async ({ page, stack }) => {
  await page.goto(`${stack.url}/docs/guides/first-message`);
  for (const [typed, title, address] of [
    ['send_unknown', 'send_unknown', '/docs#error-send_unknown'],
    ['retry-after', 'Retry-After', '/docs#header-retry-after'],
    ['cancel', 'Cancel a message', '/docs#post-messages-id-cancel'],
    ['schedule', 'Schedule', '/docs/guides/queue#schedule'],
  ]) {
    const field = page.getByRole('combobox', { name: 'Search the documentation' });
    // Until the page's code has arrived, the keys do nothing.
    await expect(async () => {
      await page.keyboard.press('ControlOrMeta+k');
      await expect(field).toBeVisible({ timeout: 500 });
    }).toPass();
    await field.fill(typed ?? '');
    await page.getByRole('option', { name: title, exact: false }).first().click();
    await page.waitForURL(`**${address}`);
    await expect(page.locator(`[id="${address?.split('#')[1]}"]`)).toBeInViewport();
  }
});

test('each page is also Markdown, and llms.txt lists all of them', async ({ request, stack }) => {
  const list = await (await request.get(`${stack.url}/llms.txt`)).text();
  const links = [...list.matchAll(/\]\((https?:[^)]+)\)/g)].map(([, link = '']) => link);
  expect(links.length).toBe(15);
  for (const link of links) {
    const answer = await request.get(link);
    expect([link, answer.status()]).toEqual([link, 200]);
    if (!link.endsWith('.md')) continue;
    expect(answer.headers()['content-type']).toBe('text/markdown; charset=utf-8');
    expect(await answer.text()).toMatch(/^# .+\n\n/);
  }
  expect((await request.get(`${stack.url}/docs/guides/none.md`)).status()).toBe(404);
});
