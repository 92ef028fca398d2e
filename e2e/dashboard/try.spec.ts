import { expect, test } from './test.ts';

const RECIPIENT = '4915228817386';

/** For each kind: a field with an invalid value and its error, and what the phone shows. */
const KINDS = [
  { kind: 'Text', field: 'body', wrong: '  ', says: /body/, right: 'Hello *there*', shows: 'there' },
  { kind: 'Image', field: 'url', wrong: 'nowhere', says: /url/ },
  {
    kind: 'Document',
    field: 'filename',
    wrong: '',
    says: /filename/,
    right: 'Offer.pdf',
    shows: 'Offer.pdf',
  },
  { kind: 'Location', field: 'latitude', wrong: '91', says: /latitude/, right: '54.32', shows: null },
  { kind: 'Contact', field: 'contactPhone', wrong: '+49 15', says: /contactPhone/, right: '4915112345678' },
  { kind: 'Audio', field: 'to', wrong: '12', says: /to/, right: RECIPIENT },
] as const;

test('each kind’s form shows errors during typing, and sends a valid request', async ({
  newCustomer,
  linkNumber,
  signIn,
  stack,
}) => {
  test.setTimeout(180_000);
  const customer = await newCustomer();
  const { instance } = await linkNumber(customer);
  const page = await signIn(customer);
  // This test does not concern the interval between messages.
  await page.goto(`/numbers/${instance}`);
  await page.getByRole('slider', { name: 'Interval between messages' }).press('Home');
  await page.getByRole('button', { name: 'Save' }).click();
  for (const { kind, field, wrong, says, ...rest } of KINDS) {
    await test.step(kind, async () => {
      // Text typed for one kind is kept in the next kind's fields of the same name.
      await page.goto('/try');
      await page.getByRole('radio', { name: kind, exact: true }).click();
      const input = page.getByLabel(field, { exact: true });
      const given = await input.inputValue();
      await input.fill(wrong);
      await expect(page.getByRole('alert').filter({ hasText: says })).toBeVisible();
      await page.getByRole('button', { name: 'Send', exact: true }).click();
      await input.fill('right' in rest ? rest.right : given);
      await expect(page.getByRole('alert').filter({ hasText: says })).toHaveCount(0);
      await page.getByRole('button', { name: 'Send', exact: true }).click();
      const answer = page.locator('main pre').last();
      await expect(answer).toContainText(`"type": "${kind.toLowerCase()}"`);
      await expect(answer).toContainText('"status": "sent"');
      // The old answer is not shown beside a new error.
      await input.fill(wrong);
      await expect(page.getByRole('alert').filter({ hasText: says })).toBeVisible();
      await expect(page.getByText('"status": "sent"')).toHaveCount(0);
    });
  }
  const inbox = await stack.cli<{ type: string }[]>('sandbox', 'inbox', '--instance', instance);
  expect(inbox.map(({ type }) => type)).toHaveLength(KINDS.length);
});

test('on a phone, the result is beside the button and leads to the response', async ({ signInLinked }) => {
  const page = await signInLinked({ width: 390 });
  await page.goto('/try');
  const button = page.getByRole('button', { name: 'Send', exact: true });
  const response = page.getByText('"status": "sent"');
  await button.click();
  await expect(page.locator('form').getByRole('status')).toContainText('200');
  await expect(button).toBeInViewport();
  await expect(response).not.toBeInViewport();
  await page.getByRole('link', { name: 'See the response' }).click();
  await expect(response).toBeInViewport();
});

test('a server that never responds is an error after 90 s, and the message can be sent again', async ({
  signInLinked,
}) => {
  const page = await signInLinked();
  const asked = Promise.withResolvers<void>();
  await page.route(/messages\.tryIt/, () => asked.resolve(), { times: 1 });
  await page.clock.install();
  await page.goto('/try');
  const send = page.getByRole('button', { name: 'Send', exact: true });
  await send.click();
  await asked.promise;
  await page.clock.fastForward(95_000);
  await expect(page.getByRole('alert').filter({ hasText: 'The server did not respond' })).toBeVisible();
  await send.click();
  await expect(page.getByText('"status": "sent"')).toBeVisible();
});
