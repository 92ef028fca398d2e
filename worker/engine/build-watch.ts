import type { BuildVerdict, KeptBuild, SeenBuild } from '#server/core/engine.ts';
import type { Log } from '#server/platform/log.ts';
import type { Page } from './library.ts';
import { withTimeout } from './timeout.ts';
import type { EngineTimes } from './times.ts';

const SITE = 'https://web.whatsapp.com/';
/** HTTP statuses for a file that is no longer served. */
const NOT_SERVED = [404, 410];

export interface BuildWatchOptions {
  kept: KeptBuild | null;
  log: Log;
  times: Pick<EngineTimes, 'verdictMs'>;
  ask(seen: SeenBuild): BuildVerdict | undefined | Promise<BuildVerdict | undefined>;
  leave(): void;
  /** A script of the kept build is no longer served. */
  onWithdrawn(): void;
}

type Response = Awaited<ReturnType<Page['waitForResponse']>>;

/** Finds out which build of WhatsApp Web a page has loaded, and serves the document of a kept build. */
export class BuildWatch {
  readonly #o: BuildWatchOptions;
  #watched = false;
  #version: string | null = null;
  /** The current document that the site served. */
  #served: Promise<Uint8Array | null> = Promise.resolve(null);
  #judged: Promise<void> = Promise.resolve();

  constructor(options: BuildWatchOptions) {
    this.#o = options;
  }

  /** The version of the current document; null until it is known. */
  get version(): string | null {
    return this.#version;
  }

  /**
   * Call before the page is opened; further calls do nothing. Rejects if the kept document cannot be served,
   * because the page would then be the wrong build.
   */
  async watch(page: Page): Promise<void> {
    if (this.#watched) return;
    this.#watched = true;
    page.on('response', (response) => this.#onResponse(page, response));
    const { kept } = this.#o;
    if (kept) await serveDocument(page, kept.document);
  }

  /** A new document reports its build. Resolves when it is decided whether the session keeps it. */
  loaded(version: string): Promise<void> {
    this.#version = version;
    this.#judged = this.#judge(version);
    return this.#judged;
  }

  /**
   * Resolves when it is decided whether the session keeps this build, even if its document has not reported it.
   */
  judged(version: string): Promise<void> {
    return this.#version === version ? this.#judged : this.loaded(version);
  }

  #onResponse(page: Page, response: Response): void {
    const request = response.request();
    const isDocument = request.isNavigationRequest() && request.frame() === page.mainFrame();
    if (isDocument && response.ok() && response.url().startsWith(SITE)) {
      this.#version = null;
      this.#served = this.#o.kept ? Promise.resolve(null) : response.buffer().catch(() => null);
    } else if (this.#o.kept && this.#version === null) {
      // Without its scripts the page never becomes ready, so the session ends now.
      const isScript = request.resourceType() === 'script';
      if (isScript && NOT_SERVED.includes(response.status())) this.#o.onWithdrawn();
    }
  }

  async #judge(version: string): Promise<void> {
    const { ask, kept, log, leave, times } = this.#o;
    const question = async () => {
      const document = await this.#served;
      this.#served = Promise.resolve(null);
      return ask({ version, kept: kept?.version === version, document });
    };
    const verdict = await withTimeout(times.verdictMs, 'the verdict on the build', question()).catch(
      (error: unknown) => {
        log.warn({ err: error, build: version }, 'no verdict on this build; the session keeps it');
        return 'stay' as const;
      },
    );
    if (verdict === 'leave') leave();
  }
}

/**
 * Answers requests for the page's document only. The library's own version cache would intercept every request,
 * disable the browser's cache, and miss the URLs of a logged-out page.
 */
async function serveDocument(page: Page, document: Uint8Array): Promise<void> {
  // Otherwise a service worker answers first.
  await page.setBypassServiceWorker(true);
  const session = await page.createCDPSession();
  const body = Buffer.from(document).toString('base64');
  // The site's security policy allows only the scripts of its current document, so its headers are left out.
  const responseHeaders = [
    { name: 'content-type', value: 'text/html; charset=utf-8' },
    { name: 'cache-control', value: 'no-store' },
  ];
  const frame = (await session.send('Page.getFrameTree')).frameTree.frame.id;
  session.on('Fetch.requestPaused', ({ requestId, frameId }) => {
    const answer =
      frameId === frame
        ? session.send('Fetch.fulfillRequest', { requestId, responseCode: 200, responseHeaders, body })
        : session.send('Fetch.continueRequest', { requestId });
    answer.catch(() => {}); // the page has navigated away
  });
  await session.send('Fetch.enable', { patterns: [{ urlPattern: `${SITE}*`, resourceType: 'Document' }] });
}
