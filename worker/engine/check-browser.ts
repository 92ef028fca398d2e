/**
 * `node worker/engine/check-browser.ts`: prints, as JSON, the browser that sessions would use, or what is
 * wrong.
 */
import { chromiumAgeWeeks } from '#server/core/chromium-age.ts';
import { settings } from '#server/settings.ts';
import { hasOwnSandbox, resolveBrowser } from './browser.ts';

const answer = await resolveBrowser({ chromiumPath: settings.chromiumPath, dataDir: settings.dataDir }).then(
  (browser) => {
    const { kind, version, executablePath } = browser;
    const ageWeeks = chromiumAgeWeeks(version, Date.now());
    return {
      found: `${kind} ${version ?? ''} at ${executablePath}`,
      sandboxed: hasOwnSandbox(browser),
      ageWeeks,
    };
  },
  (error: Error) => ({ problem: error.message }),
);
process.stdout.write(JSON.stringify(answer));
