import type { Log } from '#server/platform/log.ts';
import type { Page } from './library.ts';

/** Resource types that only a viewer needs. */
const UNNEEDED = ['Image', 'Font', 'Media', 'Ping', 'CSPViolationReport'] as const;
/** Where the page reports crashes and measurements. */
const REPORTS = ['https://crashlogs.whatsapp.net/*', 'https://dit.whatsapp.net/*'] as const;

/**
 * Where the page's own files come from. Only a header distinguishes a prefetch from other fetches, so all fetches
 * from these hosts are intercepted. Files of messages use other hosts.
 */
const FILES = ['https://web.whatsapp.com/*', 'https://static.whatsapp.net/*'] as const;

/** Exceptions: the page creates these itself, for the preview of a picture. */
const OWN = /^(?:blob|data):/;

/**
 * Blocks requests that sending does not need: pictures, fonts, sounds, reports and prefetches. Scripts, styles,
 * sockets and the transfer of messages and files pass. A browser without support loads more, and works.
 */
export async function blockUnneededRequests(page: Page, log: Log): Promise<void> {
  try {
    const session = await page.createCDPSession();
    session.on('Fetch.requestPaused', ({ requestId, request, resourceType }) => {
      const unneeded = isUnneeded(resourceType) || isReport(request.url) || isPrefetch(request.headers);
      const answer =
        unneeded && !OWN.test(request.url)
          ? session.send('Fetch.failRequest', { requestId, errorReason: 'BlockedByClient' })
          : session.send('Fetch.continueRequest', { requestId });
      answer.catch(() => {}); // the page has navigated away
    });
    await session.send('Fetch.enable', {
      patterns: [
        ...UNNEEDED.map((resourceType) => ({ urlPattern: '*', resourceType })),
        ...FILES.map((urlPattern) => ({ urlPattern, resourceType: 'Fetch' as const })),
        ...REPORTS.map((urlPattern) => ({ urlPattern })),
      ],
    });
  } catch (error) {
    log.warn({ err: error }, 'unneeded requests are not blocked');
  }
}

const isUnneeded = (type: string) => UNNEEDED.some((unneeded) => unneeded === type);

const isReport = (url: string) => REPORTS.some((pattern) => url.startsWith(pattern.slice(0, -1)));

const isPrefetch = (headers: Record<string, string>) =>
  Object.entries(headers).some(([name, value]) => /^(?:sec-)?purpose$/i.test(name) && /prefetch/.test(value));
