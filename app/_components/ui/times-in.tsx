import { useInBrowser } from './use-in-browser.ts';
import { common } from './words.ts';

/** `Europe/Berlin` for display, without underscores. */
export function zoneName(zone: string): string {
  return zone.replaceAll('_', ' ');
}

export const viewersZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone;

/** The time zone of the page's times: the viewer's. Once per page. */
export function TimesIn({ className }: { className?: string }) {
  return useInBrowser() && <span className={className}>{common.timesIn(zoneName(viewersZone()))}</span>;
}
