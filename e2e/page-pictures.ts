/** `npm run pictures`: every page, in both themes and three widths, drawn to `screenshots/`, to be looked at. */
import { mkdir, rm } from 'node:fs/promises';
import path from 'node:path';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright';
import { resolveBrowser } from '#worker/engine/browser.ts';
import { allPlaces, type Place } from './places.ts';
import { type Stack, startStack } from './stack.ts';

const PICTURES = path.join(import.meta.dirname, '../screenshots');
const WIDTHS = [360, 820, 1440] as const;
const THEMES = ['light', 'dark'] as const;
const EMAIL = 'marta@nordlicht.example';
const PASSWORD = 'a kingfisher dives at dusk';

const stack = await startStack({ env: { SANDBOX_SEND_INTERVAL_MS: '0' } });
try {
  await rm(PICTURES, { recursive: true, force: true });
  await mkdir(PICTURES, { recursive: true });
  const ids = await prepare(stack);
  const { executablePath, args, env } = await resolveBrowser({ dataDir: stack.dataDir });
  const browser = await chromium.launch({ executablePath, args, env });
  const inside = await signedIn(browser);
  const outside = await browser.newContext();
  const nowhere: Place = { route: '/nowhere', group: 'dashboard', path: () => '/nowhere' };
  for (const place of [...allPlaces(), nowhere])
    await draw(await (place.group === 'auth' ? outside : inside).newPage(), place, ids);
  await browser.close();
} finally {
  await stack.stop();
}

async function draw(page: Page, place: Place, ids: Record<string, string>): Promise<void> {
  await page.goto(stack.url + place.path(ids));
  await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' });
  const name =
    place.route === '/' ? 'overview' : place.route.slice(1).replaceAll('/', '-').replaceAll(/[[\]]/g, '');
  for (const colorScheme of THEMES) {
    await page.emulateMedia({ colorScheme });
    for (const width of WIDTHS) {
      await page.setViewportSize({ width, height: width < 500 ? 780 : 1000 });
      const file = path.join(PICTURES, `${name}.${colorScheme}.${width}.png`);
      await page.screenshot({ path: file, fullPage: place.route !== '/docs', animations: 'disabled' });
    }
  }
  await page.close();
}

async function signedIn(browser: Browser): Promise<BrowserContext> {
  const context = await browser.newContext({ viewport: { width: 1440, height: 1000 } });
  const page = await context.newPage();
  await page.goto(`${stack.url}/sign-in`);
  await page.locator('input[type=email]').fill(EMAIL);
  await page.locator('input[type=password]').fill(PASSWORD);
  await page.locator('button[type=submit]').click();
  await page.waitForURL((at) => at.pathname === '/');
  await page.close();
  return context;
}

/** An administrator with two numbers, one of which was unlinked on its phone, and some messages. */
async function prepare({ cli, url }: Stack): Promise<Record<string, string>> {
  const email = ['--email', EMAIL];
  const { account } = await cli<{ account: string }>(
    ...['account', 'create', ...email, '--password', PASSWORD, '--admin'],
  );
  await cli('account', 'activate', ...email, '--numbers', '3', '--until', '2027-12-14');
  const [numberId = '', unlinked = ''] = await Promise.all(
    ['Workshop', 'Rentals'].map(async (label) => {
      const { instance } = await cli<{ instance: string }>(
        ...['number', 'add', ...email, '--network', 'sandbox', '--label', label],
      );
      await cli('number', 'link', '--instance', instance);
      return instance;
    }),
  );
  await cli('sandbox', 'phone', '--instance', unlinked, '--do', 'unlink');
  const { key } = await cli<{ key: string }>('key', 'create', '--instance', numberId);
  let messageId = '';
  for (const body of ['Hi Jonas, your bike is ready.', 'Pick it up any day until 18:00.', 'See you then!']) {
    const answer = await fetch(`${url}/v1/messages/text`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': key },
      body: JSON.stringify({ to: '4915228817386', body }),
    });
    if (answer.status !== 200) throw new Error(`a message answered ${answer.status}: ${await answer.text()}`);
    messageId = ((await answer.json()) as { data: { id: string } }).data.id;
  }
  return { numberId, messageId, accountId: account };
}
