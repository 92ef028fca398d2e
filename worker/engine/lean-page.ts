import type { Log } from '#server/platform/log.ts';
import type { Page } from './library.ts';

/** Kinds of requests that serve only a viewer, and a sender's page has none. */
const UNNEEDED = ['Image', 'Font', 'Media', 'Ping', 'CSPViolationReport'] as const;
/** Where the page reports its crashes and measurements. */
const REPORTS = ['https://crashlogs.whatsapp.net/*', 'https://dit.whatsapp.net/*'] as const;

/**
 * Where the page's own files come from. To the browser a prefetch is one of the page's fetches and only its header
 * tells them apart, so the fetches from here are looked at; files of messages go to other hosts.
 */
const FILES = ['https://web.whatsapp.com/*', 'https://static.whatsapp.net/*'] as const;

/** Exceptions: files that the page creates itself and uses for a picture's preview. */
const OWN = /^(?:blob|data):/;

/**
 * Keeps a page from fetching what sending does not need: pictures, fonts, sounds, reports and prefetched files.
 * Scripts, styles, sockets and the transfer of messages and files are not intercepted. A browser without
 * support loads more, and works.
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
