import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { unzipSync } from 'fflate';
import { chromium } from 'playwright/test';
import { sandboxClient } from '#server/sandbox/client.ts';
import { fullChromium } from './full-chromium.ts';
import { givePasskey, standInForSite } from './passkey-browser.ts';
import { signInByForm } from './sign-in.ts';
import { expect, test } from './test.ts';

test('the extension signs on WhatsApp’s site with the owner’s passkey, and the number is linked', async ({
  newCustomer,
  addNumber,
  stack,
}) => {
  const customer = await newCustomer();
  const instance = await addNumber(customer, 'Workshop');
  const control = sandboxClient(stack.dataDir);
  // The extension works at the installation's own address only.
  const baseURL = stack.url.replace('127.0.0.1', 'localhost');
  await using directory = await fs.mkdtempDisposable(path.join(os.tmpdir(), 'wirebird-extension-'));
  const extension = path.join(directory.path, 'extension');
  await fs.mkdir(extension);
  const archive = await (await fetch(`${baseURL}/passkey-extension.zip`)).arrayBuffer();
  for (const [name, bytes] of Object.entries(unzipSync(new Uint8Array(archive))))
    await fs.writeFile(path.join(extension, name), bytes);
  const context = await chromium.launchPersistentContext(path.join(directory.path, 'profile'), {
    ...fullChromium(),
    baseURL,
    args: [`--disable-extensions-except=${extension}`, `--load-extension=${extension}`, '--no-sandbox'],
    ignoreDefaultArgs: ['--disable-extensions'],
  });
  try {
    await standInForSite(context);
    const page = await context.newPage();
    await signInByForm(page, customer.email, customer.password);
    await page.goto(`/sandbox/${instance}`);
    await page.getByRole('switch', { name: 'Ask for a passkey' }).click();
    const demanding = async () =>
      (await control.phones()).find(({ passkey }) => passkey.demanded)?.phone ?? '';
    await expect.poll(demanding).not.toBe('');
    const phone = await demanding();

    await page.goto(`/numbers/${instance}/link`);
    await page.getByRole('button', { name: 'Show the QR code' }).click();
    await page.getByRole('button', { name: 'Scan with the sandbox phone' }).click();
    await expect(page.getByRole('listitem', { name: 'Add the extension' })).toContainText('Added.');
    const opened = context.waitForEvent('page');
    await page.getByRole('button', { name: 'Open WhatsApp Web' }).click();
    const site = await opened;
    await expect(site.getByText('asks for your passkey to link Workshop')).toContainText(baseURL);
    await givePasskey(site, control, phone);
    await site.getByRole('button', { name: 'Confirm with passkey' }).click();
    await expect(page.getByRole('heading', { name: 'Workshop is connected' })).toBeVisible();
    // The tab has done its work, and the dashboard is in front again.
    await expect.poll(() => site.isClosed()).toBe(true);
    // Nothing happens on WhatsApp's site unless the dashboard has asked.
    const other = await context.newPage();
    await other.goto('https://web.whatsapp.com/#wirebird-1');
    await expect(other.getByText('Chats')).toBeVisible();
    await expect(other.locator('#wirebird-passkey')).toHaveCount(0);
  } finally {
    await context.close();
  }
});
