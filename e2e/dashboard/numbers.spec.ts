import { expect, test } from './test.ts';

test('linking is cancelled, then completed with a pairing code typed on the phone', async ({
  newCustomer,
  addNumber,
  signIn,
}) => {
  const customer = await newCustomer();
  const instance = await addNumber(customer, 'Rentals');
  const page = await signIn(customer);
  await page.goto(`/numbers/${instance}/link`);
  await page.getByRole('button', { name: 'Show the QR code' }).click();
  await expect(page.getByRole('img', { name: /^QR code/ })).toBeVisible();
  await page.getByRole('button', { name: 'Stop linking' }).click();
  await expect(page.getByRole('button', { name: 'Show the QR code' })).toBeVisible();
  await expect(page.getByRole('img', { name: /^QR code/ })).toHaveCount(0);

  await page.getByRole('radio', { name: 'Pairing code' }).click();
  await page.getByRole('button', { name: 'Get a pairing code' }).click();
  await expect(page.getByRole('img', { name: /^Pairing code/ })).toBeVisible();
  await page.getByRole('link', { name: 'Open the phone' }).click();
  const phone = page.getByRole('region', { name: 'Sandbox phone', exact: true });
  await phone.getByRole('button', { name: 'Enter' }).click();
  await expect(page.locator('main').getByText('Connected', { exact: true }).first()).toBeVisible();
});

test('a phone that cannot be linked is refused on the page with a reason that names no account', async ({
  newCustomer,
  addNumber,
  linkNumber,
  signIn,
  stack,
}) => {
  const other = await newCustomer();
  const { phoneNumber } = await linkNumber(other);
  const customer = await newCustomer();
  const instance = await addNumber(customer, 'Rentals');
  const page = await signIn(customer);
  await page.goto(`/numbers/${instance}/link`);
  const linking = (phone: string) => stack.cli('number', 'link', '--instance', instance, '--phone', phone);
  await expect(linking(phoneNumber)).rejects.toThrow(/already/);
  const refusal = page
    .getByRole('alert')
    .filter({ hasText: 'This phone is already linked to another number' });
  await expect(refusal).toBeVisible();
  await expect(page.getByRole('button', { name: 'Show the QR code' })).toBeVisible();
  await expect(page.locator('main')).not.toContainText(other.email);

  const own = `999${String(Date.now()).slice(-9)}`;
  await linking(own);
  await expect(page.getByRole('heading', { name: /is connected$/ })).toBeVisible();
  await expect(refusal).toHaveCount(0);
  await stack.cli('sandbox', 'phone', '--instance', instance, '--do', 'unlink');
  await expect(page.getByRole('alert').filter({ hasText: 'WhatsApp disconnected Wirebird' })).toBeVisible();
  await expect(linking(`${own}1`)).rejects.toThrow(/A different phone/);
  await expect(
    page.getByRole('alert').filter({ hasText: 'A different phone number was linked' }),
  ).toBeVisible();
});

test('a session opened elsewhere is taken back; a device removed on the phone shows at once, with what to do', async ({
  newCustomer,
  linkNumber,
  signIn,
  stack,
}) => {
  const customer = await newCustomer();
  const { instance } = await linkNumber(customer);
  const page = await signIn(customer);
  await page.goto(`/numbers/${instance}`);
  await stack.cli('sandbox', 'phone', '--instance', instance, '--do', 'replaced');
  await page.getByRole('button', { name: 'Use here' }).click();
  await expect(page.getByRole('button', { name: 'Hold' })).toBeVisible();

  await page.goto('/');
  const verdict = page.getByRole('heading', { level: 1 });
  await expect(verdict).not.toContainText('needs');
  await stack.cli('sandbox', 'phone', '--instance', instance, '--do', 'unlink');
  await expect(verdict).toHaveText('Your number needs attention');
  // The alert comes without a reload. The bell shows it until the number is well again, even after it was read.
  await expect(page.getByText(/ is logged out$/).first()).toBeVisible({ timeout: 30_000 });
  await page.getByRole('button', { name: /^Alerts, \d unread, 1 ongoing$/ }).click();
  const bell = page.getByRole('dialog', { name: 'Alerts' });
  await expect(bell.getByRole('listitem').first()).toContainText('Ongoing');
  await bell.getByRole('button', { name: 'Mark all as read' }).click();
  await expect(page.getByRole('button', { name: 'Alerts, 1 ongoing' })).toBeVisible();
  await page.keyboard.press('Escape');
  await page.getByRole('link', { name: 'Link again' }).click();
  await page.getByRole('button', { name: 'Show the QR code' }).click();
  await page.getByRole('button', { name: 'Scan with the sandbox phone' }).click();
  await expect(page.getByRole('heading', { name: /is connected$/ })).toBeVisible();
});

test('a number is held, gets an interval and a name, and is unlinked and removed', async ({
  newCustomer,
  linkNumber,
  signIn,
}) => {
  const customer = await newCustomer();
  const { instance } = await linkNumber(customer);
  const page = await signIn(customer);
  await page.goto(`/numbers/${instance}`);
  const main = page.locator('main');

  await page.getByRole('button', { name: 'Hold' }).click();
  await expect(main.getByText(/On hold\. .* refused \(409\) until it is released/)).toBeVisible();
  await expect(main.getByText('On hold', { exact: true })).toBeVisible();
  await expect(main.getByText('Nothing is waiting.', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Release' }).click();
  await expect(main.getByText(/Connected for .* within 8 seconds/)).toBeVisible();

  await page.getByRole('slider', { name: 'Interval between messages' }).press('PageUp');
  await expect(main.getByText('276', { exact: true })).toBeVisible();
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(main.getByText(/Connected for .* within 13 seconds/)).toBeVisible();

  const menu = (item: string) => async () => {
    await page.getByRole('button', { name: /^Actions for/ }).click();
    await page.getByRole('menuitem', { name: item }).click();
  };
  await menu('Rename')();
  await page.getByLabel('Name', { exact: true }).fill('Rentals');
  await page.getByRole('button', { name: 'Rename' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Rentals');

  await menu('Unlink')();
  const dialog = page.getByRole('alertdialog');
  await expect(dialog.getByText('Requests with its key get 409 until you link again')).toBeVisible();
  await dialog.getByRole('button', { name: 'Unlink' }).click();
  await expect(main.getByText(/No phone is linked right now\. Link it again to continue\./)).toBeVisible();

  await menu('Remove')();
  await dialog.getByRole('button', { name: 'Remove' }).click();
  await expect(page.getByRole('heading', { name: 'No numbers yet' })).toBeVisible();
});

test('the named phone replaces the old one, and the groups are listed with their ids', async ({
  newCustomer,
  linkNumber,
  signIn,
}) => {
  const customer = await newCustomer();
  const { instance } = await linkNumber(customer);
  const page = await signIn(customer);
  await page.goto(`/numbers/${instance}`);
  await page.getByRole('button', { name: 'List groups' }).click();
  await expect(page.getByText(/@g\.us$|^This number is not in any group/).first()).toBeVisible();
  await page.getByRole('button', { name: /^Actions for/ }).click();
  await page.getByRole('menuitem', { name: 'Change phone number' }).click();
  await page.getByLabel('New phone number', { exact: true }).fill('0111 222 333');
  await page.getByRole('button', { name: 'Change and link' }).click();
  await expect(page.getByText('put the country code in front')).toBeVisible();
  await page.getByLabel('New phone number', { exact: true }).fill('+999 111 222 333');
  await page.getByRole('button', { name: 'Change and link' }).click();
  await page.waitForURL(`**/numbers/${instance}/link`);
  await expect(async () => {
    await page.getByRole('button', { name: 'Show the QR code' }).click();
    await expect(page.getByRole('button', { name: 'Scan with the sandbox phone' })).toBeEnabled();
    await expect(page.getByRole('img', { name: /^QR code/ })).toBeVisible({ timeout: 3_000 });
  }).toPass();
  await page.getByRole('button', { name: 'Scan with the sandbox phone' }).click();
  await expect(page.getByRole('heading', { name: /is connected$/ })).toBeVisible();
  await expect(page.getByText(/^\+999.111.222.333\. Connected for/)).toBeVisible();
});

test('without a plan, linking says so and explains how to get one', async ({
  newCustomer,
  stack,
  signIn,
}) => {
  const customer = await newCustomer({ plan: false });
  const email = ['--email', customer.email];
  const { instance } = await stack.cli<{ instance: string }>(
    'number',
    'add',
    ...email,
    '--network',
    'whatsapp',
  );
  const page = await signIn(customer);
  await page.goto(`/numbers/${instance}/link`);
  const main = page.locator('main');
  await expect(main.getByText(/With a plan you can link your own phones/)).toBeVisible();
  await expect(main.getByRole('link', { name: 'Open the plan' })).toHaveAttribute('href', '/account/plan');
  await expect(main.getByRole('button', { name: 'Show the QR code' })).toHaveCount(0);
  await page.goto(`/numbers/${instance}`);
  await expect(main.getByText(/^No phone has been linked yet\. Linking one needs a plan\./)).toBeVisible();
});
