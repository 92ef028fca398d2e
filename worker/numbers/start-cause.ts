import type { Cause } from '#server/core/number/cause.ts';
import { BrowserStartError, hasFewOpenFiles } from '../engine/browser-start-error.ts';
import { OlderBrowserError } from '../engine/last-browser.ts';
import { isDiskFull, isFileError } from '../engine/profile.ts';
import { TimeoutError } from '../engine/timeout.ts';

/** Why a session did not start. */
export function startCause(error: unknown): Cause {
  if (error instanceof OlderBrowserError) return { code: 'browser_older' };
  if (isDiskFull(error)) return { code: 'disk_full' };
  if (error instanceof BrowserStartError) return { code: 'browser_failed', failure: error.failure };
  if (hasFewOpenFiles()) return { code: 'browser_failed', failure: 'openFiles' };
  if (isFileError(error)) return { code: 'profile_unusable' };
  if (error instanceof TimeoutError) return { code: 'load_timeout' };
  const message = error instanceof Error ? error.message : String(error);
  if (message.includes('net::ERR_')) return { code: 'site_unreachable' };
  if (/browser has ended|page has crashed|(Target|Session|Connection) closed/.test(message))
    return { code: 'browser_ended' };
  return { code: 'page_not_started' };
}
