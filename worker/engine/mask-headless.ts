import type { Log } from '#server/platform/log.ts';
import type { Page } from './library.ts';
import { addChrome } from './page/chrome.ts';
import { userAgentWithMetadata } from './user-agent.ts';

/** A common screen size. The window stays small, because each pixel costs memory. */
export const SCREEN_ARGS = ['--screen-info={1920x1080}'];

/** English everywhere, because the adapter reads the page's text. `--lang` alone does not affect the page. */
export const LANGUAGE_ARGS = ['--lang=en-US', '--accept-lang=en-US,en'];
export const LANGUAGE_ENV = { LANG: 'en_US.UTF-8', LC_ALL: 'en_US.UTF-8' };

/** Makes a headless browser look like an ordinary Chrome of its version. Call before the page is opened. */
export async function maskHeadless(page: Page, version: string | null, log: Log): Promise<void> {
  try {
    // Upstream: not reported (docs/upstream.md)
    await page.setUserAgent(userAgentWithMetadata(version));
    await page.evaluateOnNewDocument(addChrome);
  } catch (error) {
    log.warn({ err: error }, 'the browser is recognisable as headless');
  }
}
