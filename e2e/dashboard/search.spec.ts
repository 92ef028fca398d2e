import { expect, test } from './test.ts';

test('everything is found and opened by keyboard only, and the focus returns', async ({
  newCustomer,
  linkNumber,
  signIn,
  stack,
}) => {
  const customer = await newCustomer({ admin: true });
  const { instance, phoneNumber, key } = await linkNumber(customer);
  const sent = await fetch(`${stack.url}/v1/messages/text`, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json' },
    body: JSON.stringify({ to: '4915228817386', body: 'The heron stands still' }),
  });
  const { data } = (await sent.json()) as { data: { id: string } };
  const page = await signIn(customer);
  const dialog = page.getByRole('dialog', { name: 'Search' });
  const field = dialog.getByRole('combobox');
  const option = (name: string | RegExp) => dialog.getByRole('option', { name });

  const opener = page.getByRole('button', { name: /^Search/ });
  await opener.focus();
  await page.keyboard.press('Enter');
  await expect(field).toBeFocused();
  await expect(option('Messages')).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(dialog).toHaveCount(0);
  await expect(opener).toBeFocused();

  const jump = async (words: string, name: string | RegExp) => {
    await page.keyboard.press('Control+k');
    await field.fill(words);
    await expect(option(name)).toBeVisible();
    for (let tries = 0; tries < 20; tries++) {
      if ((await option(name).getAttribute('aria-selected')) === 'true') break;
      await page.keyboard.press('ArrowDown');
    }
    await page.keyboard.press('Enter');
    await expect(dialog).toHaveCount(0);
  };
  await jump('time zone', 'Account settings');
  await expect(page).toHaveURL(/\/account\/settings$/);
  await jump(`+${phoneNumber.slice(0, 2)} ${phoneNumber.slice(2, 8)}`, /Connected/);
  await expect(page).toHaveURL(new RegExp(`/numbers/${instance}$`));
  await jump(key.slice(0, 11), /sends from/);
  await expect(page).toHaveURL(/\/keys$/);
  await jump('heron stands', /The heron stands still/);
  await expect(page).toHaveURL(new RegExp(`/messages/${data.id}$`));
  await jump(data.id, /The heron stands still/);
  await jump('heron', 'Search all messages for “heron”');
  await expect(page).toHaveURL(/\/messages\?q=heron$/);
  await jump(customer.email, new RegExp(`^${customer.email}`));
  await expect(page).toHaveURL(new RegExp(`/admin/accounts/${customer.account}$`));

  await page.keyboard.press('Control+k');
  await field.fill('nothing is called like this');
  await expect(option('Search all messages for “nothing is called like this”')).toBeVisible();
  await page.keyboard.press('Control+k');
  await expect(dialog).toHaveCount(0);
});

test('on a narrow screen a button opens the search', async ({ newCustomer, signIn }) => {
  const page = await signIn(await newCustomer(), { width: 390 });
  await page.getByRole('button', { name: /^Search/ }).click();
  const dialog = page.getByRole('dialog', { name: 'Search' });
  await dialog.getByRole('combobox').fill('invite');
  await dialog.getByRole('option', { name: 'Members' }).click();
  await expect(page).toHaveURL(/\/account\/people$/);
});
