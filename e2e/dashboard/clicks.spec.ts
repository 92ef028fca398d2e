import type { Page } from 'playwright/test';
import { expect, test } from './test.ts';

/** What a query of the dashboard answers. */
async function ask(page: Page, query: string, input?: object): Promise<unknown> {
  const asked = input ? `?input=${encodeURIComponent(JSON.stringify(input))}` : '';
  const answer = await page.request.get(`/api/trpc/${query}${asked}`);
  return (await answer.json()).result.data;
}

test('a double click creates one number, one key and one message', async ({ newCustomer, signIn }) => {
  const page = await signIn(await newCustomer());
  await page.goto('/start');
  await page.getByRole('button', { name: 'Create all three' }).dblclick();
  const send = page.getByRole('button', { name: 'Send it' });
  await expect(send).toBeVisible({ timeout: 60_000 });
  const numbers = (await ask(page, 'numbers.list')) as { id: string }[];
  expect(numbers).toHaveLength(1);
  await send.dblclick();
  await expect(page.getByText('Your first message has arrived')).toBeVisible();
  const { rows } = (await ask(page, 'messages.list', { numberId: numbers[0]?.id })) as { rows: object[] };
  expect(rows).toHaveLength(1);

  await page.goto('/keys');
  await page.getByRole('button', { name: 'Create key' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).dblclick();
  await expect(page.getByTestId('api-key')).toBeVisible();
  expect(await ask(page, 'keys.list')).toHaveLength(2);
});

test('a dialog stays open while its form is being sent, so that the only sight of a key is not lost', async ({
  signInLinked,
}) => {
  const page = await signInLinked();
  const [asked, answered] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
  await page.route(/keys\.create/, async (route) => {
    asked.resolve();
    await answered.promise;
    await route.continue();
  });
  await page.goto('/keys?create=1');
  await page.getByRole('dialog').getByRole('button', { name: 'Create key' }).click();
  await asked.promise;
  await page.keyboard.press('Escape');
  await page.mouse.click(5, 5);
  answered.resolve();
  await expect(page.getByTestId('api-key')).toBeVisible();
});

test('a dialog whose server does not respond says so, can be closed, and its action still reaches the page', async ({
  signInLinked,
}) => {
  const page = await signInLinked();
  const answered = Promise.withResolvers<void>();
  await page.route(/keys\.(create|revoke)/, async (route) => {
    await answered.promise;
    await route.continue();
  });
  await page.clock.install();
  const waits = page.getByText('No response from the server yet');
  await page.goto('/keys?create=1');
  const form = page.getByRole('dialog');
  await form.getByLabel('Name').fill('Late key');
  await form.getByRole('button', { name: 'Create key' }).click();
  await expect(form.getByRole('button', { name: 'Create key' })).toHaveAttribute('aria-busy', 'true');
  await expect(waits).toHaveCount(0);
  await page.clock.fastForward(10_000);
  await expect(waits).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(form).toHaveCount(0);

  await page.getByRole('button', { name: /^Actions for/ }).click();
  await page.getByRole('menuitem', { name: 'Revoke' }).click();
  const question = page.getByRole('alertdialog');
  const revoke = question.getByRole('button', { name: 'Revoke' });
  await revoke.click();
  await expect(revoke).toHaveAttribute('aria-busy', 'true');
  await page.clock.fastForward(10_000);
  await expect(waits).toBeVisible();
  await question.getByRole('button', { name: 'Keep key' }).click();
  await expect(question).toHaveCount(0);

  answered.resolve();
  await expect(page.getByRole('button', { name: 'Actions for Late key' })).toBeVisible();
  await expect(page.getByRole('button', { name: /^Actions for/ })).toHaveCount(1);
});

test('an address that opens a dialog is rendered on the server', async ({
  newCustomer,
  linkNumber,
  signIn,
  stack,
}) => {
  const customer = await newCustomer();
  const { instance, key } = await linkNumber(customer);
  const page = await signIn(customer);
  const dialog = page.getByRole('dialog');
  for (const wanted of ['1', instance]) {
    await page.goto(`/keys?create=${wanted}`);
    await expect(dialog.getByRole('heading', { name: 'Create key' })).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(page).toHaveURL(/\/keys$/);
  }
  const answer = await fetch(`${stack.url}/v1/status`, { headers: { authorization: `Bearer ${key}` } });
  await page.goto(`/requests?open=${answer.headers.get('x-request-id')}`);
  await expect(dialog).toBeVisible();
});

test('when a menu or its dialog closes, the button of the menu has the focus', async ({
  newCustomer,
  linkNumber,
  signIn,
}) => {
  const customer = await newCustomer();
  const { instance } = await linkNumber(customer);
  const page = await signIn(customer);
  const more = page.locator('main').getByRole('button', { name: /^Actions for/ });
  for (const [path, item, leave] of [
    ['/keys', 'Revoke', 'Keep key'],
    [`/numbers/${instance}`, 'Rename', 'Cancel'],
  ] as const) {
    await page.goto(path);
    await more.click();
    await expect(page.getByRole('menu')).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(more).toBeFocused();
    for (const by of ['Escape', leave]) {
      await more.click();
      await page.getByRole('menuitem', { name: item }).click();
      const close = page.getByRole('button', { name: leave });
      await expect(close).toBeVisible();
      await (by === 'Escape' ? page.keyboard.press(by) : close.click());
      await expect(more).toBeFocused();
    }
  }
});

test('“Add number” stays busy until the next page is there', async ({ newCustomer, signIn }) => {
  const page = await signIn(await newCustomer());
  const held = Promise.withResolvers<void>();
  await page.route(/\/numbers\/\w+\/link\?/, async (route) => {
    await held.promise;
    await route.continue();
  });
  await page.goto('/numbers/new');
  const add = page.getByRole('button', { name: 'Add number' });
  const asked = page.waitForRequest(/\/numbers\/\w+\/link\?/);
  await add.click();
  await asked;
  await expect(add).toHaveAttribute('aria-busy', 'true');
  held.resolve();
  await expect(page).toHaveURL(/\/link$/);
});
