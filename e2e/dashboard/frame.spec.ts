import { startStack } from '../stack.ts';
import { expect, test } from './test.ts';

test('the chosen theme applies from the first byte', async ({ newCustomer, signIn }) => {
  const page = await signIn(await newCustomer());
  await page.getByRole('button', { name: 'You and your account' }).click();
  await page.getByRole('menuitem', { name: 'Dark' }).click();
  await expect(page.locator('html')).toHaveAttribute('data-theme', 'dark');
  const html = await (await page.request.get('/')).text();
  expect(html).toContain('data-theme="dark"');
});

test('a signed-in user is redirected to the requested page, and no panel stays without its button', async ({
  newCustomer,
  signIn,
}) => {
  const page = await signIn(await newCustomer());
  await page.goto(`/sign-in?next=${encodeURIComponent('/numbers')}`);
  await expect(page).toHaveURL(/\/numbers$/);
  await page.goto(`/sign-in?next=${encodeURIComponent('//example.com/numbers')}`);
  await expect(page).toHaveURL(/\/$/);
  await page.setViewportSize({ width: 1280, height: 800 });
  await page.getByRole('button', { name: 'Alerts' }).click();
  await expect(page.getByRole('dialog', { name: 'Alerts' })).toBeVisible();
  // A narrow screen has another button, and a panel without its button would be in a corner.
  await page.setViewportSize({ width: 400, height: 800 });
  await expect(page.getByRole('dialog', { name: 'Alerts' })).toBeHidden();
});

test('signing in continues to the address from a mail', async ({ newCustomer, newVisitor }) => {
  const { email, password } = await newCustomer();
  for (const address of ['/account/plan', '/messages?status=cancelled']) {
    const page = await newVisitor();
    await page.goto(address);
    await expect(page).toHaveURL(/\/sign-in\?next=/);
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await expect(page).toHaveURL((url) => url.pathname + url.search === address);
  }
});

test('another site’s page can neither call nor frame the dashboard', async ({ newCustomer, signIn }) => {
  const page = await signIn(await newCustomer());
  const foreign = { origin: 'https://evil.example', 'sec-fetch-site': 'cross-site' };
  const change = await page.request.post('/api/trpc/numbers.add', {
    headers: { ...foreign, 'content-type': 'application/json' },
    data: { network: 'sandbox', label: 'Planted' },
  });
  expect(change.status()).toBe(403);
  const form = await page.request.post('/api/trpc/numbers.add', {
    headers: { 'content-type': 'text/plain' },
    data: '{"network":"sandbox","label":"Planted"}',
  });
  expect(form.status()).toBe(415);
  const headers = (await page.request.get('/')).headers();
  expect(headers['content-security-policy']).toMatch(/script-src 'self' 'nonce-[^']+' 'strict-dynamic';/);
  expect(headers['content-security-policy']).toContain("frame-ancestors 'none'");
  expect(headers['x-content-type-options']).toBe('nosniff');
  await page.goto('/numbers');
  await expect(page.getByText('No numbers yet')).toBeVisible();
});

test('the administrator’s pages are missing for other users', async ({ newCustomer, signIn, newVisitor }) => {
  const page = await signIn(await newCustomer());
  expect((await page.request.get('/admin/accounts')).status()).toBe(404);
  expect((await page.request.get('/api/trpc/admin.accounts?input={"search":""}')).status()).toBe(403);
  const stranger = await newVisitor();
  expect((await stranger.request.get('/api/trpc/account.me')).status()).toBe(401);
});

test('a wrong password is reported without revealing whether the user exists', async ({
  newCustomer,
  newVisitor,
}) => {
  const { email } = await newCustomer();
  const page = await newVisitor();
  const attempt = async (as: string) => {
    await page.goto('/sign-in');
    await page.getByLabel('Email').fill(as);
    await page.getByLabel('Password').fill('not the right one');
    await page.getByRole('button', { name: 'Sign in' }).click();
    return page.getByRole('alert').filter({ hasText: 'Wrong email or password' }).textContent();
  };
  expect(await attempt(email)).toBe(await attempt(`nobody-${email}`));
});

test('the log has the real address of a sign-in, whatever the caller claims', async ({
  newCustomer,
  newVisitor,
}) => {
  const { email, password } = await newCustomer({ admin: true });
  const page = await newVisitor();
  await page.setExtraHTTPHeaders({ 'x-forwarded-for': '203.0.113.9' });
  await page.goto('/sign-in');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.waitForURL('**/');
  await page.goto('/admin/audit');
  const entry = page.getByRole('row', { name: /Signed in/ }).filter({ hasText: email });
  await expect(entry.getByTitle('from 127.0.0.1')).toBeVisible();
});

test('the one-time link creates the first administrator, and only once', async ({ newVisitor }) => {
  test.setTimeout(300_000);
  const stack = await startStack({ env: { SIGN_UP: 'closed' } });
  try {
    const printed = () => /\/setup\?token=[\w-]+/.exec(stack.output())?.[0];
    await expect.poll(printed).toBeDefined();
    const link = printed();
    const page = await newVisitor();
    await page.goto(`${stack.url}/sign-up`);
    await expect(page.getByRole('heading', { name: 'Sign-up is closed' })).toBeVisible();
    await page.goto(`${stack.url}${link}`);
    await page.getByLabel('Company or project').fill('Nordlicht');
    await page.getByLabel('Email').fill('admin@example.com');
    await page.getByLabel('Password').fill('the tide comes in twice');
    await page.getByRole('button', { name: 'Create administrator' }).click();
    await expect(page.getByRole('link', { name: 'Send a first message' })).toBeVisible();
    await expect(page.getByText('0 of 3 numbers')).toBeVisible();
    await page.goto(`${stack.url}${link}`);
    await expect(page.getByRole('heading', { name: 'This link no longer works' })).toBeVisible();
  } finally {
    await stack.stop();
  }
});

test('an offline browser says so, and shows missed changes once it is back online', async ({
  newCustomer,
  addNumber,
  signIn,
}) => {
  const customer = await newCustomer();
  const page = await signIn(customer);
  await expect(page.getByText('Auto-updating', { exact: true })).toBeVisible();
  await page.context().setOffline(true);
  await expect(page.getByText(/^You are offline\. This page was last updated at/)).toBeVisible();
  await addNumber(customer, 'Meanwhile');
  await page.context().setOffline(false);
  await expect(page.getByText('Auto-updating', { exact: true })).toBeVisible();
  await expect(page.getByRole('link', { name: /Meanwhile/ }).first()).toBeVisible();
  await expect(page.getByText(/^You are offline/)).toHaveCount(0);
});
