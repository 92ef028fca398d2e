/** `node worker/engine/check-browser.ts`: prints, as JSON, which browser the sessions would run in, or what is wrong. */
import { settings } from '#server/settings.ts';
import { resolveBrowser } from './browser.ts';

const answer = await resolveBrowser({ chromiumPath: settings.chromiumPath, dataDir: settings.dataDir }).then(
  ({ kind, version, executablePath }) => ({ found: `${kind} ${version ?? ''} at ${executablePath}` }),
  (error: Error) => ({ problem: error.message }),
);
process.stdout.write(JSON.stringify(answer));
