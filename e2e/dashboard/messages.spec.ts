import { expect, test } from './test.ts';

const TO = '4915228817386';

test('messages are filtered by key, code and days, and filters are saved as a view', async ({
  newCustomer,
  linkNumber,
  signIn,
  stack,
}) => {
  const customer = await newCustomer();
  const { key } = await linkNumber(customer);
  const sent = await post(stack.url, key, { to: TO, body: 'Filtered by its key' });
  const requestId = sent.headers.get('x-request-id') ?? '';
  const scheduled = await post(stack.url, key, { to: TO, body: 'Cancelled by its caller' }, inAnHour());
  const { id } = (await scheduled.json()).data;
  const cancelled = await fetch(`${stack.url}/v1/messages/${id}/cancel`, {
    method: 'POST',
    headers: { 'x-api-key': key },
  });
  expect(cancelled.status).toBe(200);

  const page = await signIn(customer);
  await page.goto('/messages');
  const rows = page.getByRole('row').filter({ has: page.getByRole('link') });
  const choose = async (chip: string, item: string | RegExp) => {
    await page.getByRole('button', { name: chip, exact: true }).click();
    await page.getByRole('menuitem', { name: item }).first().click();
  };
  await expect(rows).toHaveCount(2);
  await choose('Error code', 'cancelled_by_caller');
  await page.waitForURL('**/messages?code=cancelled_by_caller');
  await expect(rows).toHaveCount(1);
  await expect(rows).toContainText('Cancelled by its caller');
  await page.getByRole('button', { name: 'Days', exact: true }).click();
  const days = page.getByRole('dialog', { name: 'Days' });
  await days.getByRole('button', { name: 'Last 7 days' }).click();
  await page.waitForURL('**/messages?code=cancelled_by_caller&days=7');

  await page.getByRole('button', { name: 'Views', exact: true }).click();
  const views = page.getByRole('dialog', { name: 'Views' });
  await views.getByLabel('Save these filters as').fill('Cancelled this week');
  await views.getByRole('button', { name: 'Save', exact: true }).click();
  await page.waitForURL('**/messages?code=cancelled_by_caller&days=7&view=Cancelled+this+week');
  await page.getByRole('button', { name: 'Days Last 7 days' }).click();
  await days.getByLabel('To').fill('2026-01-01');
  await expect(page).toHaveURL(/\/messages\?code=cancelled_by_caller&days=\.\.2026-01-01$/);
  await expect(page.getByText('No messages match')).toBeVisible();
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Clear filters' }).click();
  await expect(rows).toHaveCount(2);
  await page.getByRole('button', { name: 'Views', exact: true }).click();
  await views.getByRole('link', { name: 'Cancelled this week' }).click();
  await expect(rows).toHaveCount(1);
  await page.getByRole('button', { name: 'Views Cancelled this week' }).click();
  await views.getByRole('button', { name: 'Delete the view Cancelled this week' }).click();
  await expect(views.getByRole('link')).toHaveCount(0);

  await page.goto('/keys');
  await page
    .getByRole('button', { name: /^Actions for / })
    .first()
    .click();
  await page.getByRole('menuitem', { name: 'View messages' }).click();
  await page.waitForURL('**/messages?key=*');
  await expect(rows).toHaveCount(2);
  await page.getByLabel('Search messages').fill(requestId);
  await expect(rows).toHaveCount(1);
  await expect(rows).toContainText('Filtered by its key');
});

test('selected messages are cancelled and sent again together', async ({
  newCustomer,
  linkNumber,
  signIn,
  stack,
}) => {
  const customer = await newCustomer();
  const { key } = await linkNumber(customer);
  expect((await post(stack.url, key, { to: TO, body: 'Sent already' })).status).toBe(200);
  for (const body of ['First to cancel', 'Second to cancel'])
    expect((await post(stack.url, key, { to: TO, body }, inAnHour())).status).toBe(202);

  const page = await signIn(customer);
  await page.goto('/messages');
  const rows = page.getByRole('row').filter({ has: page.getByRole('link') });
  const bar = page.getByRole('region', { name: 'Selected messages' });
  await page.getByRole('checkbox', { name: 'Select all messages' }).check();
  await expect(bar).toContainText('3 selected');
  await page.keyboard.press('Escape');
  await expect(bar).toHaveCount(0);

  for (const body of ['First to cancel', 'Second to cancel', 'Sent already'])
    await rows.filter({ hasText: body }).getByRole('checkbox').check();
  await bar.getByRole('button', { name: 'Cancel 2' }).click();
  const question = page.getByRole('alertdialog');
  await expect(question).toContainText('Cancel 2 messages?');
  await question.getByRole('button', { name: 'Cancel 2' }).click();
  await expect(page.getByText('2 messages cancelled', { exact: true })).toBeVisible();
  await expect(rows.filter({ hasText: 'Cancelled' })).toHaveCount(2);
  await expect(bar).toContainText('1 selected');

  await rows.filter({ hasText: 'First to cancel' }).getByRole('checkbox').check();
  await bar.getByRole('button', { name: 'Send 2 again' }).click();
  await expect(question).toContainText('1 message will arrive a second time');
  await expect(question).toContainText('1 message will arrive once');
  await question.getByRole('button', { name: 'Send 2 again' }).click();
  await expect(page.getByText('2 messages added to the queue', { exact: true })).toBeVisible();
  await expect(bar).toHaveCount(0);
  await expect(rows).toHaveCount(5);
});

test('on a phone, messages are selected by touch and cancelled together', async ({
  newCustomer,
  linkNumber,
  signIn,
  stack,
}) => {
  const customer = await newCustomer();
  const { key } = await linkNumber(customer);
  for (const body of ['First to cancel', 'Second to cancel'])
    expect((await post(stack.url, key, { to: TO, body }, inAnHour())).status).toBe(202);
  const page = await signIn(customer, { width: 390 });
  await page.goto('/messages');
  const boxes = page.getByRole('checkbox', { name: /^Select the message to / });
  const bar = page.getByRole('region', { name: 'Selected messages' });
  await expect(page.getByRole('link', { name: /to cancel/ })).toHaveCount(2);
  await expect(boxes).toHaveCount(0);
  await page.getByRole('button', { name: 'Select messages' }).click();
  // Taps anywhere on the row, as a thumb does.
  for (const body of ['First to cancel', 'Second to cancel']) await page.getByText(body).click();
  await expect(bar).toContainText('2 selected');
  expect(await bar.evaluate((element) => element.scrollWidth <= element.clientWidth)).toBe(true);
  await bar.getByRole('button', { name: 'Cancel 2' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Cancel 2' }).click();
  await expect(page.getByText('2 messages cancelled', { exact: true })).toBeVisible();
  await expect(bar).toHaveCount(0);
  await page.getByRole('button', { name: 'Done' }).click();
  await page.getByText('First to cancel').click();
  await page.waitForURL('**/messages/msg_*');
});

test('a message that was not sent leaves the overview when it is sent again, or dismissed', async ({
  newCustomer,
  linkNumber,
  signIn,
  stack,
}) => {
  const customer = await newCustomer();
  const { instance, key } = await linkNumber(customer);
  for (const body of ['To send again', 'To dismiss', 'To send again on the page']) {
    await stack.cli('sandbox', 'rule', '--instance', instance, '--stage', 'wire', '--action', 'refuse');
    expect((await post(stack.url, key, { to: TO, body })).status).toBe(502);
  }
  const page = await signIn(customer);
  const attention = page.getByRole('region', { name: 'Needs attention' });
  const dismiss = attention.getByRole('button', { name: /^Dismiss the message to / });
  await expect(dismiss).toHaveCount(3);
  await attention
    .getByRole('button', { name: /^Send again to / })
    .first()
    .focus();
  await page.keyboard.press('Enter');
  const question = page.getByRole('dialog');
  await expect(question).toContainText('The first message was definitely not sent.');
  await question.getByRole('button', { name: 'Send again' }).click();
  await expect(page.getByText('The new message is in the queue', { exact: true })).toBeVisible();
  await expect(dismiss).toHaveCount(2);
  await expect(attention).toBeFocused();
  expect((await post(stack.url, key, { to: TO, body: 'To send again' })).status).toBe(200);
  await page.reload();
  await expect(dismiss).toHaveCount(1);
  await dismiss.click();
  await expect(dismiss).toHaveCount(0);
  await page.reload();
  await expect(
    page.getByText(
      'Every failed or unconfirmed message of the last 7 days was sent again, confirmed later or dismissed.',
    ),
  ).toBeVisible();
  await expect(page.getByText('Not sent today: 3 failed (2 sent later).')).toBeVisible();
  await page.goto('/messages');
  await page.getByRole('link', { name: 'Sent again', exact: true }).click();
  await expect(page.getByRole('complementary', { name: 'Message' })).toContainText('Repeat of');
});

test('after a lost response, neither form sends a message twice', async ({ signInLinked }) => {
  const page = await signInLinked();
  const loseNextResponse = () =>
    page.route(
      /messages\.(tryIt|sendAgain)/,
      async (route) => {
        await route.fetch();
        await route.abort('connectionreset');
      },
      { times: 1 },
    );

  await page.goto('/try');
  const send = page.getByRole('button', { name: 'Send', exact: true });
  await loseNextResponse();
  await send.click();
  await expect(
    page.getByRole('alert').filter({ hasText: 'the same message is not sent twice' }),
  ).toBeVisible();
  await send.click();
  await page.getByRole('link', { name: 'Open the message' }).click();

  const panel = page.getByRole('complementary', { name: 'Message' });
  await panel.getByRole('button', { name: 'Send again' }).click();
  const question = page.getByRole('dialog').filter({ hasText: 'Send this to' });
  await loseNextResponse();
  await question.getByRole('button', { name: 'Send again' }).click();
  await expect(question.getByRole('alert')).toContainText('The server could not be reached');
  // The page knows of the new message by now.
  await expect(page.getByText('Sent again as')).toBeVisible();
  await question.getByRole('button', { name: 'Send again' }).click();
  await expect(
    page.getByText('It had already been sent again, so nothing new was sent', { exact: true }),
  ).toBeVisible();
  await page.goto('/messages');
  await expect(page.getByText('2 messages, newest first')).toBeVisible();
});

const post = (url: string, key: string, body: object, headers: Record<string, string> = {}) =>
  fetch(`${url}/v1/messages/text`, {
    method: 'POST',
    headers: { 'x-api-key': key, 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });
const inAnHour = () => ({ 'x-send-at': new Date(Date.now() + 3_600_000).toISOString() });
