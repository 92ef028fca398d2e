import type { Page } from 'playwright/test';
import { Webhook } from 'standardwebhooks';
import type { LinkedNumber } from '../linked-number.ts';
import { expect, test } from './test.ts';

test('an endpoint is created, gets signed events, fails, is repaired, and gets them again', async ({
  newCustomer,
  linkNumber,
  signIn,
  receiver,
  stack,
}) => {
  test.setTimeout(180_000);
  const customer = await newCustomer();
  const number = await linkNumber(customer);
  const path = `/${number.instance}`;
  const page = await signIn(customer);
  const events = () => receiver.received(path).map(({ body }) => JSON.parse(body));

  await page.goto('/webhooks');
  await page.getByRole('button', { name: 'Add endpoint' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('URL').fill(`http://${receiver.host}${path}`);
  for (const event of ['Read', 'Number state']) await dialog.getByLabel(event, { exact: true }).uncheck();
  await dialog.getByRole('button', { name: 'Add endpoint' }).click();
  const secret = await page.getByTestId('webhook-secret').innerText();
  await page.getByLabel('I have stored the secret').check();
  await page.getByRole('button', { name: 'Done' }).click();
  await page.waitForURL('**/webhooks/whe_*');

  await test.step('a message is sent', async () => {
    await send(stack.url, number, 'order-1');
    await expect(row(page, 'message.sent')).toContainText('Delivered');
    await expect(row(page, 'message.delivered')).toContainText('200');
    expect(events().map(({ type, data }) => [type, data.reference])).toEqual([
      ['message.sent', 'order-1'],
      ['message.delivered', 'order-1'],
    ]);
    for (const { headers, body } of receiver.received(path))
      expect(new Webhook(secret).verify(body, headers)).toBeTruthy();
  });

  await test.step('the receiver breaks', async () => {
    receiver.answer(path, 500, 'out of stock');
    await page.getByRole('button', { name: 'Send test event' }).click();
    await expect(row(page, 'webhook.test')).toContainText('Retrying');
    await expect(page.getByText('This endpoint does not accept events')).toBeVisible();
    await page.getByRole('button', { name: 'webhook.test' }).click();
    await expect(page.getByRole('dialog')).toContainText('The endpoint returned 500.');
    await expect(page.getByRole('dialog')).toContainText('out of stock');
    // The retry comes 5 s later.
    await expect(page.getByRole('dialog').getByText('out of stock')).toHaveCount(2);
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
  });

  await test.step('it is repaired, and replay delivers at once', async () => {
    receiver.answer(path, 200);
    await page.getByRole('button', { name: 'webhook.test' }).click();
    await page.getByRole('button', { name: 'Replay' }).click();
    await expect(page.getByRole('dialog').getByText('Delivered')).toBeVisible();
    await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click();
    await expect(page.getByText('This endpoint does not accept events')).toHaveCount(0);
    const before = events().length;
    await page.getByRole('button', { name: /^Actions/ }).click();
    await page.getByRole('menuitem', { name: 'Replay since' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Replay' }).click();
    await expect(page.getByText('3 events are sent again', { exact: true })).toBeVisible();
    await expect.poll(() => events().length).toBe(before + 3);
  });

  await test.step('it wants no more events: it is switched off with an alert', async () => {
    receiver.answer(path, 410);
    await page.getByRole('button', { name: 'Send test event' }).click();
    await expect(page.getByText('Off: returned 410')).toBeVisible();
    await page.getByRole('button', { name: /alert/i }).first().click();
    const bell = page.getByRole('dialog', { name: 'Alerts' });
    await expect(bell.getByText('A webhook endpoint was switched off')).toBeVisible();
    await expect(bell.getByText(/^What to do: /).first()).toBeVisible();
    // The alert is also a toast. Escape closes what opened last.
    await expect(async () => {
      await page.keyboard.press('Escape');
      await expect(bell).toBeHidden({ timeout: 500 });
    }).toPass();
    receiver.answer(path, 200);
    await page.getByRole('button', { name: 'Switch on' }).click();
    await page.getByRole('button', { name: 'Send test event' }).click();
    await expect(row(page, 'webhook.test')).toContainText('Delivered');
  });
});

test('events of a sandbox number are inspected without a server', async ({
  newCustomer,
  linkNumber,
  signIn,
  stack,
}) => {
  const customer = await newCustomer();
  const number = await linkNumber(customer);
  const page = await signIn(customer);
  await page.goto('/webhooks');
  await page.getByRole('button', { name: 'Inspect events' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Inspect events' }).click();
  await page.waitForURL('**/webhooks/whe_*');
  await send(stack.url, number, 'order-2');
  await page.getByRole('button', { name: 'message.sent' }).click();
  await expect(page.getByRole('dialog')).toContainText('"reference": "order-2"');
  await expect(page.getByRole('dialog')).toContainText('Shown on this page.');
  await page.waitForURL('**/webhooks/whe_*?event=evt_*');
  const address = page.url();
  await page.goBack();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await page.goto(address);
  await expect(page.getByRole('dialog')).toContainText('"reference": "order-2"');
  await page.getByRole('link', { name: 'Open message' }).click();
  await page.waitForURL('**/messages/msg_*');
});

test('an endpoint is edited, its secret rotated, switched off and deleted', async ({
  newCustomer,
  linkNumber,
  signIn,
  stack,
  receiver,
}) => {
  const customer = await newCustomer();
  const number = await linkNumber(customer);
  const call = async (method: string, path: string, body: object) => {
    const answer = await fetch(`${stack.url}/v1/webhooks${path}`, {
      method,
      headers: { authorization: `Bearer ${number.key}`, 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
    return (await answer.json()).data;
  };
  const { id } = await call('POST', '', { url: `http://${receiver.host}/${number.instance}` });
  const page = await signIn(customer, { width: 390 });
  await page.goto('/webhooks');
  await page.getByRole('link', { name: receiver.host }).click();
  await page.waitForURL('**/webhooks/whe_*');
  const act = async (action: string) => {
    await page.getByRole('button', { name: /^Actions/ }).click();
    await page.getByRole('menuitem', { name: action, exact: true }).click();
  };
  await act('Edit');
  // What somebody else changes meanwhile stays.
  await call('PATCH', `/${id}`, { events: ['message.sent'] });
  await page.getByLabel('URL').fill(`http://${receiver.host}/new-${number.instance}`);
  await page.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('heading', { name: `/new-${number.instance}` })).toBeVisible();
  expect(await call('PATCH', `/${id}`, {})).toMatchObject({ events: ['message.sent'] });
  await act('Rotate secret');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Rotate secret' }).click();
  await expect(page.getByTestId('webhook-secret')).toHaveText(/^whsec_/);
  await page.getByLabel('I have stored the secret').check();
  await page.getByRole('button', { name: 'Done' }).click();
  await act('Switch off');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Switch off' }).click();
  await expect(page.getByText('This endpoint is off')).toBeVisible();
  await act('Delete');
  await page.getByRole('alertdialog').getByRole('button', { name: 'Delete endpoint' }).click();
  await page.waitForURL('**/webhooks');
  await expect(page.getByText('No endpoints yet')).toBeVisible();
});

/** The newest event of this type in the log. */
const row = (page: Page, type: string) => page.getByRole('row', { name: type }).first();

/** Sends a message and waits until it is delivered. */
async function send(url: string, { key }: LinkedNumber, reference: string): Promise<void> {
  const answer = await fetch(`${url}/v1/messages/text`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': 'application/json',
      'x-reference': reference,
    },
    body: JSON.stringify({ to: '4915228817386', body: 'Your order is ready.' }),
  });
  expect(answer.status).toBe(200);
}

test('on a phone, a long address of an endpoint takes three lines of its page', async ({
  newCustomer,
  signIn,
}) => {
  const page = await signIn(await newCustomer(), { width: 390 });
  await page.goto('/webhooks');
  await page.getByRole('button', { name: 'Add endpoint' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('URL').fill(`https://hooks.example.com/${'long-'.repeat(60)}`);
  await dialog.getByRole('button', { name: 'Add endpoint' }).click();
  await dialog.getByLabel('I have stored the secret').click();
  await dialog.getByRole('button', { name: 'Done' }).click();
  const title = page.getByRole('heading', { level: 1, name: /hooks\.example\.com/ });
  await expect(title).toBeVisible();
  expect((await title.boundingBox())?.height).toBe(84);
});
