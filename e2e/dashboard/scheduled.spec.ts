import { expect, test } from './test.ts';

const TO = '4915228817386';
const DAY_MS = 86_400_000;

test('a scheduled message is found by its reference, waits in the queue, and is cancelled; a dry run leaves nothing', async ({
  newCustomer,
  linkNumber,
  signIn,
  stack,
}) => {
  const customer = await newCustomer();
  const { key, instance: numberId } = await linkNumber(customer);
  const post = (path: string, headers: Record<string, string> = {}) =>
    fetch(`${stack.url}/v1/messages/${path}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
      body: path === 'text' ? JSON.stringify({ to: TO, body: 'Your table is reserved.' }) : '{}',
    });
  const dry = await post('text', { 'x-dry-run': 'true', 'x-reference': 'order 1001' });
  expect([dry.status, (await dry.json()).data.status]).toEqual([200, 'valid']);
  const at = new Date(Date.now() + DAY_MS);
  const accepted = await post('text', { 'x-send-at': at.toISOString(), 'x-reference': 'order 1002' });
  expect(accepted.status).toBe(202);
  const { id } = (await accepted.json()).data;

  const page = await signIn(customer);
  await page.goto('/messages');
  const list = page.getByRole('region', { name: 'List of messages' });
  await page.getByLabel('Search messages').fill('order 1001');
  await expect(page.getByText('No messages match')).toBeVisible();
  await page.getByLabel('Search messages').fill('order 1002');
  await expect(list.getByRole('row').filter({ hasText: 'Your table' })).toContainText(
    /Scheduled.*for \d+ \w{3}(,| \d{4},) \d\d:\d\d/,
  );
  await list.getByText('Your table is reserved.').click();
  const panel = page.getByRole('complementary', { name: 'Message' });
  await expect(panel).toContainText('It is scheduled for later.');
  await expect(panel).toContainText('Referenceorder 1002');
  await expect(panel).toContainText(/Scheduled for.*\d\d:\d\d/);

  await page.goto(`/numbers/${numberId}`);
  const row = page.getByRole('listitem').filter({ hasText: 'Your table is reserved.' });
  await expect(row).toContainText(/\d+ \w{3}, \d\d:\d\d/);
  await expect(row).toContainText('Scheduled');
  expect((await post(`${id}/cancel`)).status).toBe(200);
  await expect(row).toBeHidden();
  await page.goto(`/messages/${id}`);
  await expect(panel).toContainText('Not sent: cancelled before its turn');
  await panel.getByRole('button', { name: 'Send again' }).click();
  const question = page.getByRole('dialog');
  await expect(question).toContainText('Schedule it again, or send it now');
  await expect(question).toContainText(/The original was scheduled for \d+ \w+ \d{4}, \d\d:\d\d\./);
  await question.getByRole('button', { name: 'Schedule again' }).click();
  await expect(question).toBeHidden();
  await expect(panel).toContainText('It is scheduled for later.');
  await panel.getByRole('button', { name: 'Cancel message' }).click();
  const sure = page.getByRole('alertdialog');
  await sure.getByRole('button', { name: 'Cancel message' }).click();
  await expect(panel).toContainText('Not sent: cancelled before its turn');
  await expect(panel.getByRole('button', { name: 'Cancel message' })).toBeHidden();
  await expect(page.locator('#content')).toBeFocused();
  const again = await post(`${id}/cancel`);
  expect([again.status, again.headers.get('x-message-status')]).toEqual([409, 'cancelled']);
});
