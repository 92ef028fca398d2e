import { expect, test } from './test.ts';

test('an administrator views an account as its members see it, changes nothing, and returns', async ({
  newCustomer,
  linkNumber,
  signIn,
}) => {
  const customer = await newCustomer();
  const { instance } = await linkNumber(customer);
  const page = await signIn(await newCustomer({ admin: true }));
  await page.getByRole('link', { name: 'Accounts' }).click();
  await page.getByLabel('Search accounts').fill(customer.email);
  await page.getByRole('link', { name: customer.email }).click();
  await page.getByRole('button', { name: 'View as a member' }).click();

  const bar = page.getByRole('region', { name: 'View of another account' });
  await expect(bar).toContainText(`You are viewing ${customer.email}. Read only:`);
  await expect(page.getByRole('navigation', { name: 'Administration' })).toHaveCount(0);
  await page.goto('/numbers/new');
  await page.getByRole('radio', { name: /Sandbox number/ }).click();
  await expect(page.getByRole('button', { name: 'Add number' })).toBeDisabled();
  await page.goto(`/numbers/${instance}`);
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  for (const name of [/^Actions for/, 'Hold', 'List groups'])
    await expect(page.getByRole('button', { name })).toBeDisabled();
  await page.goto(`/sandbox/${instance}`);
  await expect(page.getByRole('switch').first()).toBeDisabled();
  await page.goto('/account/settings');
  await expect(page.getByRole('button', { name: /^Delete/ })).toBeDisabled();
  await page.goto('/admin/audit');
  await expect(page).toHaveURL(/\/$/);

  await bar.getByRole('button', { name: 'End the view' }).click();
  await expect(page).toHaveURL(/\/admin\/accounts\/acc_/);
  await expect(page.getByRole('cell', { name: 'View of the account started' })).toBeVisible();
  await expect(page.getByRole('cell', { name: 'View of the account ended' })).toBeVisible();
  await expect(bar).toHaveCount(0);
});

test('several plans are renewed, a number and an account suspended, an account deleted: members see it at once', async ({
  newCustomer,
  linkNumber,
  signIn,
  stack,
}) => {
  const customer = await newCustomer();
  const { instance } = await linkNumber(customer);
  const other = await newCustomer();
  const page = await signIn(await newCustomer({ admin: true }));
  await page.goto('/admin/accounts');
  for (const { email } of [customer, other])
    await page.getByRole('checkbox', { name: `Select ${email}` }).check();
  await page.getByRole('button', { name: 'Renew 2' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Reference').first().fill('2026-1042');
  await dialog.getByRole('button', { name: 'Renew and record' }).click();
  await expect(page.getByText('2 plans are renewed', { exact: true })).toBeVisible();

  await page.goto(`/admin/accounts/${customer.account}`);
  const until = await page.getByLabel('Paid until').inputValue();
  await page.getByLabel('Numbers included').fill('7');
  await page.getByRole('button', { name: 'Save plan' }).click();
  await expect(page.getByText(/^The plan is enabled until/)).toBeVisible();
  await page.reload();
  await expect(page.getByLabel('Paid until')).toHaveValue(until);
  await expect(page.getByLabel('Numbers included')).toHaveValue('7');

  await page
    .getByRole('list', { name: 'Numbers' })
    .getByRole('button', { name: /^Suspend/ })
    .click();
  await page.getByLabel('Reason').fill('Complaints from recipients');
  await page.getByRole('button', { name: 'Suspend the number' }).click();
  await expect(page.getByRole('button', { name: /^Resume/ })).toBeVisible();

  const theirs = await signIn(customer);
  await theirs.goto(`/numbers/${instance}`);
  await expect(theirs.getByText('Their reason: Complaints from recipients')).toBeVisible();
  await page.getByRole('button', { name: /^Resume/ }).click();
  await expect(theirs.getByText('Their reason: Complaints from recipients')).toBeHidden();

  const plan = theirs.getByRole('link', { name: /^Plan/ });
  await page.getByRole('button', { name: 'Suspend', exact: true }).click();
  await page.getByRole('button', { name: 'Suspend the account' }).click();
  await expect(plan).toContainText('This account is suspended. Ask the administrator to resume it.');
  await stack.cli('account', 'delete', '--email', customer.email, '--yes');
  await expect(theirs.getByRole('heading', { level: 1 })).toHaveText(`${customer.email} was deleted`);
  await theirs.getByRole('button', { name: 'Continue' }).click();
  await expect(theirs).toHaveURL(/\/sign-in/);
});
