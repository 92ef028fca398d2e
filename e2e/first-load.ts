import { gzipSync } from 'node:zlib';
import type { Page } from 'playwright/test';

/** What a page may make a browser fetch of JavaScript before it can be used, compressed. */
export const FIRST_LOAD_BYTES_MAX = 200 * 1024;

/**
 * Opens a page as a browser that has never been here, and adds up the scripts that it needs: all that arrive
 * until the network is quiet, compressed with gzip, but not what links fetch ahead for other pages.
 */
export async function firstLoadBytes(page: Page, path: string): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send('Network.setCacheDisabled', { cacheDisabled: true });
  const rsc = '**/*_rsc=*';
  await page.route(rsc, (route) =>
    'next-router-prefetch' in route.request().headers() ? route.abort() : route.continue(),
  );
  // What the page before still fetches ahead is not this one's.
  await page.goto('about:blank');
  const scripts = new Set<string>();
  const note = (request: { resourceType(): string; url(): string }) => {
    if (request.resourceType() === 'script') scripts.add(request.url());
  };
  // What comes on the way of a pointer is not the page's.
  await page.mouse.move(0, 0);
  page.on('request', note);
  await page.goto(path, { waitUntil: 'load' });
  await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' });
  page.off('request', note);
  await page.unroute(rsc);
  await session.detach();
  const sizes = await Promise.all([...scripts].map((url) => compressedBytes(page, url)));
  return sizes.reduce((sum, size) => sum + size, 0);
}

// Most scripts are of several pages, and none changes while its address stays.
const sizeOf = new Map<string, Promise<number>>();

function compressedBytes(page: Page, url: string): Promise<number> {
  const size =
    sizeOf.get(url) ?? page.request.get(url).then(async (answer) => gzipSync(await answer.body()).length);
  sizeOf.set(url, size);
  return size;
}
