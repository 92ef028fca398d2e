import { randomBytes } from 'node:crypto';
import { expect, test } from './test.ts';

const BODY = 'Your bike is ready. Pick it up any day until 18:00. 🚲';

test('a user gets from sign-up to the first message with the screen only', async ({
  newVisitor,
  newCustomer,
  signIn,
  stack,
}) => {
  const email = `${randomBytes(6).toString('hex')}@example.com`;
  const company = `Nordlicht ${randomBytes(3).toString('hex')}`;

  const page = await newVisitor();
  await page.goto('/');
  await page.getByRole('link', { name: 'Create one' }).click();
  await page.getByLabel('Company or project').fill(company);
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password').fill('the tide comes in twice');
  await page.getByRole('button', { name: 'Create account' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Send your first message');
  await expect(page.getByRole('listitem').filter({ hasText: 'Request a plan' })).toBeVisible();

  await test.step('the administrator enables the plan, and the customer sees it', async () => {
    const administrator = await signIn(await newCustomer({ admin: true, plan: false }));
    await administrator.getByRole('link', { name: 'Accounts' }).click();
    await administrator.getByLabel('Search accounts').fill(email);
    await administrator.getByRole('link', { name: company }).click();
    await administrator.getByLabel('Numbers included').fill('2');
    await administrator.getByRole('button', { name: '+ 1 year' }).click();
    await administrator.getByLabel('Amount received').fill('25.00');
    await administrator.getByText('Reference, day and note of the payment').click();
    await administrator.getByLabel('Note on the payment').fill('Invoice 1042');
    await administrator.getByRole('button', { name: 'Enable plan' }).click();
    await expect(administrator.getByText(/^The plan is enabled until/)).toBeVisible();
    await expect(administrator.getByRole('cell', { name: '€25.00', exact: true })).toBeVisible();
    await administrator.getByRole('link', { name: 'Audit log' }).click();
    await expect(administrator.getByRole('cell', { name: 'Plan enabled' }).first()).toBeVisible();
    await page.reload();
    await expect(page.getByText('1 of 4 done')).toBeVisible();
  });

  await test.step('a sandbox number is added and linked by its QR, each step seen live', async () => {
    await page.getByRole('link', { name: 'Link phone' }).click();
    await expect(page.getByRole('link', { name: 'Back to the steps' })).toBeVisible();
    await page.getByRole('radio', { name: /Sandbox number/ }).click();
    await page.getByLabel('Name', { exact: true }).fill('Workshop');
    await page.getByRole('button', { name: 'Add number' }).click();
    await page.getByRole('button', { name: 'Show the QR code' }).click();
    await expect(page.getByRole('img', { name: 'QR code to link Workshop' })).toBeVisible();
    await page.getByRole('button', { name: 'Scan with the sandbox phone' }).click();
    await expect(page.getByRole('heading', { name: 'Workshop is connected' })).toBeVisible();
  });

  const key = await test.step('a key is created and shown once', async () => {
    await page.getByRole('link', { name: 'Create key' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Shop backend');
    await dialog.getByRole('button', { name: 'Create key' }).click();
    const shown = (await dialog.getByTestId('api-key').textContent()) ?? '';
    expect(shown).toMatch(/^wsk_test_/);
    await expect(dialog.locator('pre')).toContainText(`Bearer ${shown}`);
    await dialog.getByLabel('I have stored it').click();
    await dialog.getByRole('button', { name: 'Done' }).click();
    await expect(page.getByRole('row', { name: /Shop backend/ })).toBeVisible();
    expect(await page.content()).not.toContain(shown);
    return shown;
  });

  const post = () =>
    fetch(`${stack.url}/v1/messages/text`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ to: '4915228817386', body: BODY }),
    });

  await test.step('what is posted appears in the list without a reload, on its page and on the phone', async () => {
    await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Messages' }).click();
    await expect(page.getByRole('heading', { name: 'No messages yet' })).toBeVisible();
    const answer = await post();
    expect(await answer.json()).toMatchObject({
      success: true,
      data: { to: '4915228817386@c.us', status: 'sent' },
    });
    const row = page.getByRole('row', { name: /Your bike is ready/ });
    await expect(row).toContainText('Read');
    await row.getByRole('link').click();
    const panel = page.getByRole('complementary', { name: 'Message' });
    await expect(panel.getByText('Confirmed by WhatsApp')).toBeVisible();
    await expect(panel.getByText(BODY, { exact: true })).toBeVisible();

    await panel.getByRole('button', { name: 'Send again' }).click();
    const dialog = page.getByRole('dialog');
    await expect(dialog.getByText('The recipient gets it a second time')).toBeVisible();
    await dialog.getByRole('button', { name: 'Send again' }).click();
    await expect(panel.getByText('Sent from the dashboard')).toBeVisible();
    await expect(page.getByRole('row', { name: /\bRead\b.*Your bike is ready/ })).toHaveCount(2);
    const repeat = new URL(page.url()).pathname.split('/').at(-1) ?? '';
    await panel.getByText('Repeat of').locator('..').getByRole('link').click();
    await panel.getByText('Sent again as').locator('..').getByRole('link', { name: repeat }).click();
    await page.waitForURL(`**/messages/${repeat}*`);

    await page.getByRole('link', { name: 'Sandbox phone' }).click();
    const phone = page.getByRole('region', { name: 'Sandbox phone', exact: true });
    await expect(phone.getByText(BODY)).toHaveCount(2);
    await expect(phone.getByRole('img', { name: 'Read' }).last()).toBeVisible();
  });

  await test.step('a revoked key is refused at once', async () => {
    await page.getByRole('link', { name: 'API', exact: true }).click();
    await page.getByRole('button', { name: 'Actions for Shop backend' }).click();
    await page.getByRole('menuitem', { name: 'Revoke' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke' }).click();
    await expect(page.getByRole('heading', { name: 'No keys yet' })).toBeVisible();
    expect((await post()).status).toBe(401);
  });

  await test.step('signing out ends it', async () => {
    await page.getByRole('button', { name: 'You and your account' }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
    await page.goto('/numbers');
    await expect(page.getByRole('heading', { name: 'Sign in' })).toBeVisible();
  });
});

test('rotating a key shows the new one once, and the old one works for the chosen time', async ({
  newCustomer,
  linkNumber,
  signIn,
  stack,
}) => {
  const customer = await newCustomer();
  const { key: old } = await linkNumber(customer);
  const status = async (key: string) =>
    (await fetch(`${stack.url}/v1/status`, { headers: { 'x-api-key': key } })).status;
  const page = await signIn(customer);
  const rotate = async (overlap: string) => {
    await page.goto('/keys');
    await page
      .getByRole('button', { name: /^Actions for/ })
      .first()
      .click();
    await page.getByRole('menuitem', { name: 'Rotate' }).click();
    await page.getByRole('combobox', { name: 'The old key works for' }).click();
    await page.getByRole('option', { name: overlap }).click();
    await page.getByRole('button', { name: 'Create new key' }).click();
    return (await page.getByTestId('api-key').textContent()) ?? '';
  };
  const next = await rotate('1 day');
  await expect(page.getByText(/^The old key works until/)).toBeVisible();
  expect([await status(old), await status(next)]).toEqual([200, 200]);
});
