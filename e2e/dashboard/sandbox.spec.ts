import { expect, test } from './test.ts';

test('the virtual phone shows all six kinds, answers, and refuses when configured to', async ({
  newCustomer,
  linkNumber,
  signIn,
  stack,
}) => {
  const customer = await newCustomer();
  const { instance, key } = await linkNumber(customer);
  const samples = await stack.cli<Record<'image' | 'document' | 'audio', string>>('sandbox', 'samples');
  const to = '4915228817386';
  const post = (kind: string, body: Record<string, unknown>) =>
    fetch(`${stack.url}/v1/messages/${kind}`, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
      body: JSON.stringify({ to, ...body }),
    });

  const page = await signIn(customer);
  await page.goto(`/sandbox/${instance}`);
  const phone = page.getByRole('region', { name: 'Sandbox phone', exact: true });
  await expect(phone.getByRole('heading', { name: 'Chats' })).toBeVisible();

  await post('text', { body: 'Hi Jonas, your bike is ready.' });
  await post('image', { url: samples.image, caption: 'New chain' });
  await post('location', { latitude: 53.5563, longitude: 9.9218, name: 'Nordlicht Bikes' });
  await post('document', { url: samples.document, filename: 'Invoice-1187.pdf' });
  await post('audio', { url: samples.audio });
  await post('contact', { contactName: 'Mia Sander', contactPhone: '4917604069031' });
  await phone
    .getByRole('button', { name: /881.?7386/ })
    .or(phone.getByRole('log'))
    .first()
    .waitFor();

  await expect(phone.getByText('Hi Jonas, your bike is ready.')).toBeVisible();
  const picture = phone.getByRole('img', { name: 'New chain' });
  await expect
    .poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth))
    .toBeGreaterThan(0);
  // It names the account that its page shows, because another tab may have chosen another one.
  const source = await picture.evaluate((image: HTMLImageElement) => image.src);
  const other = await page.request.get(source.replace(/account=\w+/, 'account=acc_other'));
  expect(other.status()).toBe(401);
  await expect(phone.getByRole('img', { name: /^Map: 53.5563/ })).toBeVisible();
  const download = page.waitForEvent('download');
  await phone.getByRole('link', { name: /Invoice-1187.pdf/ }).click();
  expect((await download).suggestedFilename()).toBe('Invoice-1187.pdf');
  await expect(phone.getByRole('button', { name: 'Play' })).toBeEnabled();
  await expect(phone.getByText('Mia Sander')).toBeVisible();

  await phone.getByLabel('Reply as the recipient').fill('Looks great!');
  await phone.getByRole('button', { name: 'Send reply' }).click();
  await expect(phone.getByRole('log').getByText('Looks great!')).toBeVisible();

  await page.getByRole('switch', { name: 'Refuse the next message' }).click();
  await expect(page.getByRole('switch', { name: 'Refuse the next message' })).toBeChecked();
  await expect
    .poll(async () => (await stack.cli<unknown[]>('number', 'list', '--email', customer.email)).length)
    .toBe(1);
  const refused = await post('text', { body: 'Not this one.' });
  expect(refused.status).toBe(502);
  expect(refused.headers.get('x-send-outcome')).toBe('not_sent');
  await expect(page.getByText('Text: failed, not sent')).toBeVisible();

  await page.getByRole('button', { name: 'Unlink' }).click();
  await expect(page.locator('main').getByText('Logged out').first()).toBeVisible();
  await expect(phone.getByText('This phone’s number is not linked to Wirebird.')).toBeVisible();
});
