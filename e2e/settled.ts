import type { Page } from 'playwright';

/** Waits until the page has drawn itself at its present size and nothing on it loads. */
export async function settled(page: Page): Promise<void> {
  await page.evaluate(
    () => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))),
  );
  await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' });
  await page.waitForFunction(() => [...document.images].every((image) => image.complete));
}
