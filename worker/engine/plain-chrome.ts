import type { Log } from '#server/platform/log.ts';
import type { Page } from './library.ts';
import { userAgentWithMetadata } from './user-agent.ts';

/** A usual screen. The window stays as small as it was, because each of its points costs memory. */
export const SCREEN_ARGS = ['--screen-info={1920x1080}'];

/** English everywhere, as the adapter reads the page's words. `--lang` alone does not reach the page. */
export const LANGUAGE_ARGS = ['--lang=en-US', '--accept-lang=en-US,en'];
export const LANGUAGE_ENV = { LANG: 'en_US.UTF-8', LC_ALL: 'en_US.UTF-8' };

/** Makes a page's browser look like a plain Chrome of its version, before the page is opened. */
export async function lookPlain(page: Page, version: string | null, log: Log): Promise<void> {
  try {
    // Upstream: not reported (docs/upstream.md)
    await page.setUserAgent(userAgentWithMetadata(version));
    await page.evaluateOnNewDocument(addChrome);
  } catch (error) {
    log.warn({ err: error }, 'the browser shows that it is headless');
  }
}

/** A headless shell lacks the object that each page finds in a Chrome. */
function addChrome(): void {
  const site = window as { chrome?: object };
  site.chrome ??= { app: { isInstalled: false }, csi: () => ({}), loadTimes: () => ({}) };
}
