import type { BuildVerdict, KeptBuild, SeenBuild } from '#server/core/engine.ts';
import type { Log } from '#server/platform/log.ts';
import { within } from './deadline.ts';
import type { Page } from './library.ts';
import type { EngineTimes } from './times.ts';

const SITE = 'https://web.whatsapp.com/';
/** The answer for a file that is no longer served. */
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

/** Which build of WhatsApp Web each document of a page is, and the document with which a kept build starts. */
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

  /**
   * Call before the page is opened; further calls do nothing. Rejects if the kept document cannot be put in
   * place, because the page would then be another build than intended.
   */
  async watch(page: Page): Promise<void> {
    if (this.#watched) return;
    this.#watched = true;
    page.on('response', (response) => this.#onResponse(page, response));
    const { kept } = this.#o;
    if (kept) await answerWith(page, kept.document);
  }

  /** A new document reports its build. Resolves when it is decided whether the session stays. */
  loaded(version: string): Promise<void> {
    this.#version = version;
    this.#judged = this.#judge(version);
    return this.#judged;
  }

  /**
   * Resolves when it is decided whether the session stays with this build, which its document may not have
   * reported.
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
      // Without its scripts the page never becomes ready, so nobody waits for it.
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
    const verdict = await within(times.verdictMs, 'the verdict on the build', question()).catch(
      (error: unknown) => {
        log.warn({ err: error, build: version }, 'nobody says whether to stay with this build');
        return 'stay' as const;
      },
    );
    if (verdict === 'leave') leave();
  }
}

/**
 * Answers only the page's document, whenever it is loaded. The library's own version cache would intercept
 * every request, disable the browser's cache, and miss the addresses of a logged-out page.
 */
async function answerWith(page: Page, document: Uint8Array): Promise<void> {
  // A service worker would answer before this does.
  await page.setBypassServiceWorker(true);
  const session = await page.createCDPSession();
  const body = Buffer.from(document).toString('base64');
  // The site's headers belong to its current document: their policy would refuse the scripts of this one.
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
    answer.catch(() => {}); // the page was left meanwhile
  });
  await session.send('Fetch.enable', { patterns: [{ urlPattern: `${SITE}*`, resourceType: 'Document' }] });
}
