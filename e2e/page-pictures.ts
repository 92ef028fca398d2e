/**
 * `npm run pictures`: every page and each state that changes one, in both themes and three widths, drawn to
 * `screenshots/`, for review. `npm run pictures -- number-` draws only names that begin with `number-`.
 */
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright';
import { openDatabase } from '#server/platform/db/client.ts';
import { ensurePostgres } from '#server/platform/embedded/postgres.ts';
import { stopClientBoss } from '#server/platform/queue/boss.ts';
import { withSql } from '#server/testing/sql.ts';
import { resolveBrowser } from '#worker/engine/browser.ts';
import { inspectEvents } from './linked-number.ts';
import { makeScenes, type Scene } from './picture-scenes.ts';
import { allPlaces } from './places.ts';
import { settled } from './settled.ts';
import { signInByForm } from './sign-in.ts';
import { type Stack, startStack } from './stack.ts';

const PICTURES = path.join(import.meta.dirname, '../screenshots');
const WIDTHS = [390, 768, 1440] as const;
const THEMES = ['light', 'dark'] as const;
const EMAIL = 'marta@nordlicht.example';
const PASSWORD = 'a kingfisher dives at dusk';

const wanted = process.argv[2] ?? '';

const directory = await mkdtemp(path.join(os.tmpdir(), 'wirebird-pictures-'));
const cluster = await ensurePostgres(path.join(directory, 'postgres'), { port: 0 });
const stack = await startStack({
  env: { DATABASE_URL: cluster.url, SANDBOX_SEND_INTERVAL_MS: '0', SANDBOX_ACK_TIMEOUT_MS: '2000' },
});
const database = withSql(openDatabase(cluster.url, 2));
try {
  if (wanted === '') await rm(PICTURES, { recursive: true, force: true });
  await mkdir(PICTURES, { recursive: true });
  const ids = await prepare(stack);
  const { executablePath, args, env } = await resolveBrowser({ dataDir: stack.dataDir });
  const browser = await chromium.launch({ executablePath, args, env });
  const contextOf = remembered((email: string) => signedIn(browser, email));
  const outside = await browser.newContext({ baseURL: stack.url });
  const walk: Scene[] = [
    ...allPlaces(),
    { route: '/404', group: 'dashboard', path: () => '/nowhere' } as const,
  ].map(({ route, group, path: at }) => ({
    name: nameOf(route),
    email: group === 'auth' ? null : EMAIL,
    path: at(ids),
  }));
  const scenes = await makeScenes(stack, database, { ...ids, email: EMAIL, password: PASSWORD });
  for (const scene of [...walk, ...scenes]) {
    const context = scene.email === null ? outside : await contextOf(scene.email);
    await draw(await context.newPage(), scene);
  }
  await browser.close();
} finally {
  await stopClientBoss();
  await database.close();
  await stack.stop();
  await cluster.release();
  await rm(directory, { recursive: true, force: true });
}

function nameOf(route: string): string {
  return route === '/' ? 'overview' : route.slice(1).replaceAll('/', '-').replaceAll(/[[\]]/g, '');
}

async function draw(page: Page, scene: Scene): Promise<void> {
  const { name, path: at, before, act, eachWidth = false } = scene;
  await page.setViewportSize({ width: 1440, height: 1000 });
  await before?.(page);
  if (name.startsWith(wanted)) {
    for (const width of WIDTHS) {
      const height = width < 500 ? 780 : 1000;
      if (eachWidth) await page.setViewportSize({ width, height });
      if (eachWidth || width === WIDTHS[0]) {
        await page.goto(at);
        await settled(page);
        await act?.(page);
      }
      await page.setViewportSize({ width, height });
      await settled(page);
      // An overlay is drawn over its place on the page, not at the end of a long picture.
      const over = (await page.getByRole('dialog').or(page.getByRole('alertdialog')).count()) > 0;
      // The viewport is as long as the page: a bar fixed to the bottom would otherwise cover its middle.
      const long = at !== '/docs' && !over ? await page.evaluate(() => document.body.scrollHeight) : 0;
      if (long > height) await page.setViewportSize({ width, height: long });
      for (const colorScheme of THEMES) {
        await page.emulateMedia({ colorScheme });
        const file = path.join(PICTURES, `${name}.${colorScheme}.${width}.png`);
        await page.screenshot({ path: file, animations: 'disabled' });
      }
    }
  }
  await page.close();
}

/** Calls `make` once for each name, and keeps the result. */
function remembered<T>(make: (name: string) => Promise<T>): (name: string) => Promise<T> {
  const made = new Map<string, Promise<T>>();
  return (name) => {
    const one = made.get(name) ?? make(name);
    made.set(name, one);
    return one;
  };
}

async function signedIn(browser: Browser, email: string): Promise<BrowserContext> {
  const context = await browser.newContext({ baseURL: stack.url, viewport: { width: 1440, height: 1000 } });
  const page = await context.newPage();
  await signInByForm(page, email, PASSWORD);
  await page.close();
  return context;
}

/** An administrator with two numbers, one unlinked on its phone, and messages of each kind and outcome. */
async function prepare({ cli, url }: Stack) {
  const email = ['--email', EMAIL];
  const { account } = await cli<{ account: string }>(
    ...['account', 'create', ...email, '--password', PASSWORD, '--admin'],
  );
  await cli('account', 'activate', ...email, '--numbers', '3', '--until', '2099-12-31');
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
  const endpointId = await inspectEvents(url, key);
  const post = async (kind: string, body: object): Promise<{ status: number; id: string }> => {
    const answer = await fetch(`${url}/v1/messages/${kind}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-api-key': key },
      body: JSON.stringify({ to: '4915228817386', ...body }),
    });
    // After the message that hangs, the number is not connected for a while.
    if (answer.status === 409 && answer.headers.has('retry-after')) {
      await delay(1_000);
      return post(kind, body);
    }
    return { status: answer.status, id: answer.headers.get('x-message-id') ?? '' };
  };
  const samples = await cli<Record<'image' | 'document' | 'audio', string>>('sandbox', 'samples');
  const ends: Record<'refuse' | 'hang', string> = { refuse: '', hang: '' };
  for (const end of ['refuse', 'hang'] as const) {
    await cli('sandbox', 'rule', '--instance', numberId, '--stage', 'wire', '--action', end);
    ends[end] = (await post('text', { body: `Hi Jonas, this one was to ${end}.` })).id;
  }
  const kinds: [kind: string, body: object][] = [
    ['text', { body: 'Hi Jonas, your *bike* is ready.' }],
    ['image', { url: samples.image, caption: 'New chain and brake pads' }],
    ['document', { url: samples.document, filename: 'Invoice-2026-1187.pdf' }],
    ['audio', { url: samples.audio }],
    ['location', { latitude: 53.5667, longitude: 9.9342, name: 'Nordlicht Bikes', address: 'Hamburg' }],
    ['contact', { contactName: 'Mia Sander', contactPhone: '4917604069031' }],
    ['text', { body: 'See you then!' }],
  ];
  let messageId = '';
  for (const [kind, body] of kinds) {
    const { status, id } = await post(kind, body);
    if (status !== 200) throw new Error(`a message of the kind ${kind} answered ${status}`);
    messageId = id;
  }
  return {
    numberId,
    unlinked,
    messageId,
    failed: ends.refuse,
    unknown: ends.hang,
    accountId: account,
    endpointId,
    guide: 'queue',
  };
}
