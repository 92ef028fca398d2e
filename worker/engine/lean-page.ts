import type { Log } from '#server/platform/log.ts';
import type { Page } from './library.ts';

/** Kinds of requests that the page of a sender makes for somebody who looks at it, and nobody does. */
const UNNEEDED = ['Image', 'Font', 'Media', 'Ping', 'CSPViolationReport'] as const;
/** Where the page reports its crashes and measurements. */
const REPORTS = ['https://crashlogs.whatsapp.net/*', 'https://dit.whatsapp.net/*'] as const;

/**
 * Where the page's own files come from. To the browser a prefetch is one of the page's fetches and only its header
 * tells them apart, so the fetches from here are looked at; files of messages go to other hosts.
 */
const FILES = ['https://web.whatsapp.com/*', 'https://static.whatsapp.net/*'] as const;

/** What is let through among these: files that the page makes itself, of which it takes a picture's preview. */
const OWN = /^(?:blob|data):/;

/**
 * Keeps a page from fetching what sending needs not: pictures, fonts, sounds, reports, and files that a later page
 * may need. Scripts, styles, sockets, and the transfer of messages and their files are never even looked at. A
 * browser that cannot do so loads more, and works.
 */
export async function makeLean(page: Page, log: Log): Promise<void> {
  try {
    const session = await page.createCDPSession();
    session.on('Fetch.requestPaused', ({ requestId, request, resourceType }) => {
      const unneeded = isUnneeded(resourceType) || isReport(request.url) || isPrefetch(request.headers);
      const answer =
        unneeded && !OWN.test(request.url)
          ? session.send('Fetch.failRequest', { requestId, errorReason: 'BlockedByClient' })
          : session.send('Fetch.continueRequest', { requestId });
      answer.catch(() => {}); // the page was left meanwhile
    });
    await session.send('Fetch.enable', {
      patterns: [
        ...UNNEEDED.map((resourceType) => ({ urlPattern: '*', resourceType })),
        ...FILES.map((urlPattern) => ({ urlPattern, resourceType: 'Fetch' as const })),
        ...REPORTS.map((urlPattern) => ({ urlPattern })),
      ],
    });
  } catch (error) {
    log.warn({ err: error }, 'the page loads what it does not need');
  }
}

const isUnneeded = (type: string) => UNNEEDED.some((unneeded) => unneeded === type);

const isReport = (url: string) => REPORTS.some((pattern) => url.startsWith(pattern.slice(0, -1)));

const isPrefetch = (headers: Record<string, string>) =>
  Object.entries(headers).some(([name, value]) => /^(?:sec-)?purpose$/i.test(name) && /prefetch/.test(value));
