import { setTimeout as sleep } from 'node:timers/promises';
import type { Page } from 'playwright';

const HYDRATED_MS = 30_000;

/** Waits until the page has drawn itself at its present size, nothing on it loads, and its buttons work. */
export async function settled(page: Page): Promise<void> {
  await page.evaluate(
    () => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn))),
  );
  await page.locator('[aria-busy=true]').first().waitFor({ state: 'detached' });
  await page.waitForFunction(() => [...document.images].every((image) => image.complete));
  const until = Date.now() + HYDRATED_MS;
  while (Date.now() < until && (await buttonsWithoutReact(page)).length > 0) await sleep(50);
}

/** The HTML of each button that React has not taken over yet: clicks on them do nothing. */
export function buttonsWithoutReact(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll('button')]
      .filter((button) => !Object.keys(button).some((key) => key.startsWith('__reactProps')))
      .map(({ outerHTML }) => outerHTML),
  );
}
