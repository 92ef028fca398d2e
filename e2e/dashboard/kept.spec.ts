import { settled } from '../settled.ts';
import { expect, test } from './test.ts';

test('when a session ends, a page with input keeps it until the user has signed in again', async ({
  newCustomer,
  signIn,
}) => {
  const customer = await newCustomer();
  const page = await signIn(customer);
  const still = await page.context().newPage();
  await still.goto('/numbers');
  await page.goto('/webhooks');
  await page.getByRole('button', { name: 'Add endpoint' }).click();
  await page.getByLabel('URL').fill('https://example.com/typed');
  const tab = await page.context().newPage();
  await tab.goto('/');
  await settled(tab);
  await tab.getByRole('button', { name: 'You and your account' }).click();
  await tab.getByRole('menuitem', { name: 'Sign out' }).click();
  await tab.waitForURL((url) => url.pathname === '/sign-in');
  // Nothing would be lost there.
  await still.waitForURL('**/sign-in?next=%2Fnumbers');
  const notice = page.getByRole('dialog', { name: 'You are signed out' });
  await expect(notice).toContainText(customer.email);
  const opened = page.waitForEvent('popup');
  await notice.getByRole('link', { name: 'Sign in' }).click();
  const signInTab = await opened;
  await settled(signInTab);
  await signInTab.getByLabel('Email').fill(customer.email);
  await signInTab.getByLabel('Password').fill(customer.password);
  await signInTab.getByRole('button', { name: 'Sign in' }).click();
  await signInTab.waitForURL((url) => url.pathname === '/');
  await expect(notice).toBeHidden({ timeout: 15_000 });
  await expect(page.getByLabel('URL')).toHaveValue('https://example.com/typed');
  await page.getByRole('dialog').getByRole('button', { name: 'Add endpoint' }).click();
  await expect(page.getByTestId('webhook-secret')).toBeVisible();
});

test('what could not be loaded is loaded by its “Try again” button', async ({ newCustomer, signIn }) => {
  const page = await signIn(await newCustomer());
  await page.route(/\/api\/trpc\/[^?]*webhooks\.list/, (route) => route.abort());
  await page.goto('/webhooks');
  // A failed query is repeated three times first.
  const again = page.getByRole('button', { name: 'Try again' });
  await expect(again).toBeVisible({ timeout: 20_000 });
  await page.unrouteAll();
  await again.click();
  await expect(page.getByText('No endpoints yet')).toBeVisible();
  await expect(again).toBeHidden();
});

test('Back undoes a change of the filters, and a search in one step', async ({ newCustomer, signIn }) => {
  const page = await signIn(await newCustomer());
  const shows = (query: string) => expect(page).toHaveURL((url) => url.search === query);
  await page.goto('/messages');
  await page.getByRole('button', { name: 'State' }).click();
  await page.getByRole('menuitem', { name: 'Failed' }).click();
  await shows('?status=failed');
  const search = page.getByRole('searchbox');
  await search.fill('jonas');
  await shows('?status=failed&q=jonas');
  await search.fill('jonas b');
  await shows('?status=failed&q=jonas+b');
  // The field still has the focus.
  await page.goBack();
  await shows('?status=failed');
  await expect(search).toHaveValue('');
  await page.goBack();
  await shows('');
  await page.goto('/requests');
  await page.getByRole('radio', { name: 'Refused' }).click();
  await shows('?show=refused');
  await page.goBack();
  await shows('');
});
