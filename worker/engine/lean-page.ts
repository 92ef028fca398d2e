import type { Log } from '#server/log.ts';
import type { Page } from './whatsapp-web.ts';

/** Kinds of requests that the page of a sender makes for somebody who looks at it, and nobody does. */
const UNNEEDED = ['Image', 'Font', 'Media', 'Ping', 'CSPViolationReport'] as const;
/** Where the page reports its crashes and measurements. */
const REPORTS = ['https://crashlogs.whatsapp.net/*', 'https://dit.whatsapp.net/*'] as const;

/** What is let through among these: files that the page makes itself, of which it takes a picture's preview. */
const OWN = /^(?:blob|data):/;

/**
 * Keeps a page from fetching what sending needs not: pictures, fonts, sounds and reports. Scripts, styles, sockets, and the transfer of messages and their files are never even looked at. A
 * browser that cannot do so loads more, and works.
 */
export async function makeLean(page: Page, log: Log): Promise<void> {
  try {
    const session = await page.createCDPSession();
    session.on('Fetch.requestPaused', ({ requestId, request }) => {
      const answer = OWN.test(request.url)
        ? session.send('Fetch.continueRequest', { requestId })
        : session.send('Fetch.failRequest', { requestId, errorReason: 'BlockedByClient' });
      answer.catch(() => {}); // the page was left meanwhile
    });
    await session.send('Fetch.enable', {
      patterns: [
        ...UNNEEDED.map((resourceType) => ({ urlPattern: '*', resourceType })),
        ...REPORTS.map((urlPattern) => ({ urlPattern })),
      ],
    });
  } catch (error) {
    log.warn({ err: error }, 'the page loads what it does not need');
  }
}
