/**
 * `node worker/engine/check-browser.ts`: prints, as JSON, the browser that sessions would use, or what is
 * wrong.
 */
import { chromiumAgeWeeks } from '#server/core/chromium-age.ts';
import { settings } from '#server/settings.ts';
import { hasOwnSandbox, resolveBrowser } from './browser.ts';
import { hasFewOpenFiles, openFilesMax } from './browser-start-error.ts';
import { launchProblem } from './try-browser.ts';

const { chromiumPath, dataDir } = settings;
const answer = await resolveBrowser({ chromiumPath, dataDir }).then(
  async (browser) => {
    if (hasFewOpenFiles())
      return {
        problem: `At most ${openFilesMax()} files may be open here, which is too few for browsers. Raise the limit (ulimit -n, LimitNOFILE) to 4096.`,
      };
    const problem = await launchProblem(browser, dataDir);
    if (problem !== null) return { problem: `${browser.executablePath} does not start: ${problem}` };
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
