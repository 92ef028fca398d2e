import { gzipSync } from 'node:zlib';
import { expect, type Page } from 'playwright/test';

/** The most JavaScript, compressed, that a browser may load before a page can be used. */
export const FIRST_LOAD_BYTES_MAX = 260 * 1024;
/** The same for a page of the documentation. */
export const DOCS_BYTES_MAX = 160 * 1024;

/** The network is quiet after this long without a request. Links prefetch while the page is idle. */
const QUIET_MS = 500;

/**
 * Opens a page in a browser without a cache and adds up the scripts that arrive until the network is quiet,
 * compressed with gzip: those of the page, and those prefetched for other pages.
 */
export async function firstLoadBytes(page: Page, path: string): Promise<number> {
  const session = await page.context().newCDPSession(page);
  await session.send('Network.setCacheDisabled', { cacheDisabled: true });
  // Requests of the previous page do not count.
  await page.goto('about:blank');
  const scripts = new Set<string>();
  let lastAt = performance.now();
  const note = (request: { resourceType(): string; url(): string }) => {
    lastAt = performance.now();
    if (request.resourceType() === 'script') scripts.add(request.url());
  };
  // Requests caused by a pointer's path do not count.
  await page.mouse.move(0, 0);
  page.on('request', note);
  await page.goto(path, { waitUntil: 'load' });
  await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' });
  await expect.poll(() => performance.now() - lastAt, { timeout: 30_000 }).toBeGreaterThan(QUIET_MS);
  page.off('request', note);
  await session.detach();
  const sizes = await Promise.all([...scripts].map((url) => compressedBytes(page, url)));
  return sizes.reduce((sum, size) => sum + size, 0);
}

// Most scripts belong to several pages, and a script never changes under the same address.
const sizeOf = new Map<string, Promise<number>>();

function compressedBytes(page: Page, url: string): Promise<number> {
  const size =
    sizeOf.get(url) ?? page.request.get(url).then(async (answer) => gzipSync(await answer.body()).length);
  sizeOf.set(url, size);
  return size;
}
