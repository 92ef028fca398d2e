import { expect, test } from './test.ts';

test('customers see the operator’s payment instructions as plain text', async ({ newCustomer, signIn }) => {
  const administrator = await signIn(await newCustomer({ admin: true }));
  await administrator.goto('/admin/how-to-pay');
  const bank = '<b>IBAN</b> DE89 3704 0044\nReference: your e-mail. See https://pay.example/plan';
  await administrator.getByLabel('How to pay').fill(bank);
  await administrator.getByLabel('Contact for questions').fill('Ada Nord');
  await administrator.getByLabel('Email address or phone number').fill('ada@example.com');
  await administrator.getByRole('button', { name: 'Save' }).click();
  await expect(
    administrator.getByText('Saved. Customers see the new text now', { exact: true }),
  ).toBeVisible();

  const customer = await signIn(await newCustomer({ plan: false }));
  await customer.getByRole('link', { name: /^Plan/ }).click();
  await expect(customer.getByRole('heading', { name: 'You are trying Wirebird' })).toBeVisible();
  await expect(customer.getByText('<b>IBAN</b> DE89 3704 0044')).toBeVisible();
  await expect(customer.getByRole('link', { name: 'https://pay.example/plan' })).toHaveAttribute(
    'rel',
    'noreferrer noopener',
  );
  await expect(customer.getByText('Questions? Ada Nord, ada@example.com')).toBeVisible();
  await expect(customer.getByRole('link', { name: 'ada@example.com' })).toHaveAttribute(
    'href',
    'mailto:ada@example.com',
  );
  await expect(customer.getByText('No payments yet.')).toBeVisible();
  await expect(customer.getByRole('link', { name: 'Change this text' })).toHaveCount(0);
});

test('a customer asks for the plan, and the administrator enables it with one button', async ({
  newCustomer,
  signIn,
}) => {
  const account = await newCustomer({ plan: false });
  const customer = await signIn(account);
  await customer.goto('/account/plan');
  await customer.getByLabel('Numbers').fill('3');
  await expect(customer.getByLabel('How to reach you')).toHaveValue(account.email);
  await customer.getByLabel('Note').fill('For two shops');
  await customer.getByRole('button', { name: 'Send the request' }).click();
  await expect(customer.getByRole('heading', { name: 'Requested: a plan for 3 numbers' })).toBeVisible();
  await expect(customer.getByText(/^Times in /)).toBeVisible();
  await customer.getByRole('button', { name: 'Change' }).click();
  await customer.getByLabel('Numbers').fill('2');
  await customer.getByRole('button', { name: 'Send the request' }).click();
  await expect(customer.getByRole('heading', { name: 'Requested: a plan for 2 numbers' })).toBeVisible();

  const administrator = await signIn(await newCustomer({ admin: true }));
  await administrator.goto('/admin/accounts');
  const request = administrator.getByRole('listitem').filter({ hasText: `Contact: ${account.email}` });
  await expect(request).toContainText('requests 2 numbers');
  await expect(request).toContainText('Note: For two shops');
  await request.getByRole('button', { name: 'Enable' }).click();
  const dialog = administrator.getByRole('dialog');
  await expect(dialog.getByLabel('Numbers included')).toHaveValue('2');
  await dialog.getByLabel('Amount received').fill('50');
  await dialog.getByRole('button', { name: 'Enable plan' }).click();
  await expect(administrator.getByText(/^The plan is enabled until/)).toBeVisible();
  await expect(request).toHaveCount(0);

  await expect(customer.getByRole('heading', { name: /^Paid until/ })).toBeVisible();
  await expect(customer.getByText('0 of 2 used')).toBeVisible();
  await expect(customer.getByRole('heading', { name: 'If you do not pay' })).toBeVisible();
  await expect(customer.getByRole('button', { name: 'Request a renewal or change' })).toBeVisible();
});

test('a reduced plan: an owner sees what happened and chooses which number stays', async ({
  newCustomer,
  linkNumber,
  signIn,
  stack,
}) => {
  const customer = await newCustomer();
  const first = await linkNumber(customer);
  const second = await linkNumber(customer);
  await stack.cli(
    ...['account', 'activate', '--email', customer.email, '--numbers', '1', '--until', '2099-12-31'],
  );
  const statusOf = async ({ key }: { key: string }) =>
    (await fetch(`${stack.url}/v1/status`, { headers: { 'x-api-key': key } })).status;
  expect([await statusOf(first), await statusOf(second)]).toEqual([200, 402]);

  const page = await signIn(customer);
  await page.goto(`/numbers/${second.instance}`);
  await page.getByRole('link', { name: 'Choose which numbers stay' }).click();
  const boxes = page.getByRole('group', { name: 'Numbers that stay active' }).getByRole('checkbox');
  await expect(boxes).toHaveCount(2);
  await expect(boxes.nth(1)).toBeDisabled();
  await boxes.nth(0).uncheck();
  await boxes.nth(1).check();
  await page.getByRole('button', { name: 'Save selection' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Save selection' }).click();
  await expect(page.getByText('The selected numbers stay active', { exact: true })).toBeVisible();
  expect([await statusOf(first), await statusOf(second)]).toEqual([402, 200]);
});

test('an owner renames the account, finds its time zone by a part of the name, and chooses alert mails', async ({
  newCustomer,
  signIn,
}) => {
  const customer = await newCustomer();
  const page = await signIn(customer);
  await page.goto('/account/settings');
  await page.getByLabel('Company or project').fill('Nordlicht GmbH');
  await page.getByRole('button', { name: 'Save name' }).click();
  await expect(page.getByRole('button', { name: /Nordlicht GmbH/ })).toBeVisible();

  await page.getByRole('button', { name: 'Change time zone' }).click();
  const dialog = page.getByRole('dialog', { name: 'Choose a time zone' });
  await dialog.getByRole('combobox').fill('nowhere on earth');
  await expect(dialog.getByText('No time zone matches')).toBeVisible();
  await dialog.getByRole('combobox').fill('kiritim');
  await page.keyboard.press('Enter');
  await expect(page.getByText('The time zone is now Pacific/Kiritimati', { exact: true })).toBeVisible();
  await page.reload();
  await expect(page.locator('main').getByText('Pacific/Kiritimati', { exact: true })).toBeVisible();

  await page.goto('/account');
  const never = page
    .getByRole('radiogroup', { name: 'Emails about: Plan' })
    .getByRole('radio', { name: 'Never' });
  // The choice shows once it is saved.
  await never.click();
  await expect(page.getByText('Saved', { exact: true })).toBeVisible();
  await page.reload();
  await expect(never).toBeChecked();
});

test('a new user joins by an invitation that works once, and a removed member is informed', async ({
  newCustomer,
  signIn,
  newVisitor,
}) => {
  const customer = await newCustomer();
  const owner = await signIn(customer);
  await owner.goto('/account/people');
  await owner.getByRole('button', { name: 'Invite', exact: true }).click();
  await owner.getByLabel('Who is it for?').fill('Jonas, workshop');
  await owner.getByRole('button', { name: 'Create link' }).click();
  const shown = (await owner.getByRole('dialog').locator('code').textContent()) ?? '';
  // The link is opened under the host name that this browser uses.
  const { pathname, hash } = new URL(shown);
  const link = pathname + hash;
  await owner.getByRole('button', { name: 'Done' }).click();

  const email = `invited-${customer.email}`;
  const guest = await newVisitor();
  await guest.goto(link);
  await expect(guest.getByRole('heading', { level: 1 })).toHaveText(`Join ${customer.email}`);
  await guest.getByLabel('Email').fill(email);
  await guest.getByLabel('Password').fill('the tide comes in twice');
  await guest.getByRole('button', { name: 'Sign up and join' }).click();
  await guest.waitForURL((at) => at.pathname === '/');
  await guest.goto('/account/people');
  await expect(guest.getByRole('listitem').filter({ hasText: email })).toContainText('Member');
  await expect(guest.getByRole('button', { name: 'Invite', exact: true })).toHaveCount(0);

  await owner.reload();
  await expect(owner.getByRole('listitem').filter({ hasText: email })).toBeVisible();
  const late = await newVisitor();
  await late.goto(link);
  await expect(late.getByRole('heading', { name: 'This invitation does not work' })).toBeVisible();

  await owner.getByRole('button', { name: `Actions for ${email}` }).click();
  await owner.getByRole('menuitem', { name: 'Remove from the account' }).click();
  await owner.getByRole('alertdialog').getByRole('button', { name: 'Remove' }).click();
  const title = guest.getByRole('heading', { level: 1 });
  await expect(title).toHaveText(`You are no longer in ${customer.email}`);
  await guest.getByRole('button', { name: 'Continue' }).click();
  await expect(title).toHaveText('You are not a member of any account');
  await guest.getByRole('button', { name: 'Sign out' }).click();
  await expect(guest).toHaveURL(/\/sign-in/);
});
