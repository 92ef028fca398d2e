import { sandboxClient } from '#server/sandbox/client.ts';
import { givePasskey, standInForSite } from '../passkey-browser.ts';
import { expect, test } from './test.ts';

test('a number whose phone demands a passkey is linked from the browser’s console, and a wrong paste is refused', async ({
  newCustomer,
  addNumber,
  signIn,
  stack,
}) => {
  const customer = await newCustomer();
  const instance = await addNumber(customer, 'Workshop');
  const control = sandboxClient(stack.dataDir);
  const page = await signIn(customer);
  await page.goto(`/sandbox/${instance}`);
  await page.getByRole('switch', { name: 'Ask for a passkey' }).click();
  const demanding = async () => (await control.phones()).find(({ passkey }) => passkey.demanded)?.phone ?? '';
  await expect.poll(demanding).not.toBe('');
  const phone = await demanding();

  await page.goto(`/numbers/${instance}/link`);
  await page.getByRole('button', { name: 'Show the QR code' }).click();
  await page.getByRole('button', { name: 'Scan with the sandbox phone' }).click();
  await expect(page.getByRole('heading', { name: 'Confirm with your passkey' })).toBeVisible();
  await expect(page.getByRole('timer')).toHaveText(/^(10:00|9:\d\d) left\.$/);
  await expect(page.getByRole('listitem', { name: 'Add the extension' })).toBeVisible();

  await page.getByRole('radio', { name: 'Console' }).check();
  await page.getByRole('button', { name: 'Show the code' }).click();
  const code = await page.getByTestId('passkey-code').innerText();
  const answerField = page.getByRole('textbox', { name: 'Answer' });
  await answerField.fill('{"token":"","assertion":{}}');
  await page.getByRole('button', { name: 'Send' }).click();
  await expect(page.getByText('This does not answer the current request.')).toBeVisible();

  const site = await page.context().newPage();
  await standInForSite(page.context());
  await site.goto('https://web.whatsapp.com/');
  await givePasskey(site, control, phone);
  const printed = site.waitForEvent('console');
  const devtools = await site.context().newCDPSession(site);
  await devtools.send('Runtime.enable');
  const copied = new Promise<unknown>((resolve) =>
    devtools.once('Runtime.inspectRequested', ({ hints, object }) => resolve([hints, object.value])),
  );
  // As the console does it.
  await devtools.send('Runtime.evaluate', {
    expression: code,
    includeCommandLineAPI: true,
    userGesture: true,
  });
  const answer = (await printed).text();
  expect(await copied).toEqual([{ copyToClipboard: true }, answer]);
  await site.close();

  await answerField.fill(answer);
  await page.getByRole('button', { name: 'Send' }).click();
  await expect(page.getByRole('heading', { name: 'Workshop is connected' })).toBeVisible();
  await control.demandPasskey({ phone, demanded: false });
  expect(stack.output()).not.toContain(JSON.parse(answer).assertion.signature);
});

test('the sandbox phone signs too; a refused attempt is tried again, and then the code is compared', async ({
  newCustomer,
  addNumber,
  signIn,
  stack,
}) => {
  const control = sandboxClient(stack.dataDir);
  const customer = await newCustomer();
  const instance = await addNumber(customer, 'Rentals');
  const page = await signIn(customer);
  await page.goto(`/sandbox/${instance}`);
  await page.getByRole('switch', { name: 'Ask for a passkey' }).click();
  await expect.poll(async () => (await control.phones()).some(({ passkey }) => passkey.demanded)).toBe(true);
  await control.configure({ passkeyTtlMs: 1 });
  try {
    await page.goto(`/numbers/${instance}/link`);
    await page.getByRole('button', { name: 'Show the QR code' }).click();
    await page.getByRole('button', { name: 'Scan with the sandbox phone' }).click();
    await page.getByRole('button', { name: 'Sign with it' }).click();
    await expect(page.getByText('WhatsApp did not accept the passkey.', { exact: true })).toBeVisible();
    await control.configure({ passkeyTtlMs: 600_000 });
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('button', { name: 'Sign with it' }).click();
    await expect(page.getByText('Does the phone show this code?')).toBeVisible();
    const shown = (await control.phones()).find(({ passkey }) => passkey.code !== null)?.passkey.code ?? '';
    await expect(page.getByRole('img', { name: `Code ${shown.split('').join(' ')}` })).toBeVisible();
    await page.getByRole('button', { name: 'The codes are equal' }).click();
    await expect(page.getByRole('heading', { name: 'Rentals is connected' })).toBeVisible();
  } finally {
    await control.configure({ passkeyTtlMs: 600_000 });
  }
});
