/** `npm run screenshots`: the README's pictures, of the running product with messages that are really sent. */
import path from 'node:path';
import { chromium } from 'playwright';
import { resolveBrowser } from '#worker/engine/browser.ts';
import { signInByForm } from './sign-in.ts';
import { type Stack, startStack } from './stack.ts';

const IMAGES = path.join(import.meta.dirname, '../docs/images');
const EMAIL = 'marta@nordlicht.example';
const PASSWORD = 'a kingfisher dives at dusk';
const JONAS = '4915228817386';

const stack = await startStack({ env: { SANDBOX_SEND_INTERVAL_MS: '0' } });
try {
  const instance = await prepare(stack);
  const { executablePath, args, env } = await resolveBrowser({ dataDir: stack.dataDir });
  const browser = await chromium.launch({ executablePath, args, env });
  for (const [file, place, colorScheme] of [
    ['overview', '/', 'light'],
    ['sandbox-phone', `/sandbox/${instance}`, 'dark'],
  ] as const) {
    const viewport = { width: 1440, height: 1040 };
    const page = await browser.newPage({ baseURL: stack.url, viewport, colorScheme });
    await signInByForm(page, EMAIL, PASSWORD);
    await page.goto(place);
    await page.getByText('Auto-updating', { exact: true }).first().waitFor();
    await page.waitForLoadState('networkidle', { timeout: 5_000 }).catch(() => {}); // live updates never end
    // On a slow machine the page is interactive before its data has arrived.
    await page.waitForFunction(() => document.querySelector('[aria-busy=true], .skeleton') === null);
    await page.waitForFunction(() => [...document.images].every((image) => image.complete));
    await page.screenshot({ path: path.join(IMAGES, `${file}.png`) });
    await page.close();
  }
  await browser.close();
} finally {
  await stack.stop();
}

/** An account with two numbers, one of which is not linked yet, and a day's messages. */
async function prepare({ cli, url }: Stack): Promise<string> {
  const email = ['--email', EMAIL];
  await cli('account', 'create', ...email, '--password', PASSWORD);
  await cli('account', 'activate', ...email, '--numbers', '3', '--until', '2027-12-14');
  const add = (label: string) =>
    cli<{ instance: string }>('number', 'add', ...email, '--network', 'sandbox', '--label', label);
  const { instance } = await add('Workshop');
  const rentals = await add('Rentals');
  const keys = await Promise.all(
    [instance, rentals.instance].map(async (number) => {
      await cli('number', 'link', '--instance', number);
      return (await cli<{ key: string }>('key', 'create', '--instance', number)).key;
    }),
  );
  await cli('sandbox', 'phone', '--instance', rentals.instance, '--do', 'unlink');
  const samples = await cli<Record<string, string>>('sandbox', 'samples');
  const posts: [kind: string, body: object][] = [
    ['text', { body: 'Hi Jonas, your bike is ready. Pick it up any day until 18:00.' }],
    ['image', { url: samples.image, caption: 'New chain and brake pads' }],
    [
      'location',
      {
        latitude: 53.5667,
        longitude: 9.9342,
        name: 'Nordlicht Bikes',
        address: 'Bahrenfelder Straße 73, Hamburg',
      },
    ],
    ['document', { url: samples.document, filename: 'Invoice-2026-1187.pdf' }],
    ['audio', { url: samples.audio }],
    ['contact', { contactName: 'Mia Sander', contactPhone: '4917604069031' }],
  ];
  for (const [kind, body] of posts) {
    const answer = await fetch(`${url}/v1/messages/${kind}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': keys[0] ?? '' },
      body: JSON.stringify({ to: JONAS, ...body }),
    });
    if (answer.status !== 200) throw new Error(`${kind} answered ${answer.status}: ${await answer.text()}`);
  }
  return instance;
}
