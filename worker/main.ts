/** The worker process: sessions over whatsapp-web.js in a browser. */
import { log } from '#server/platform/log.ts';
import { settings } from '#server/settings.ts';
import { hasOwnSandbox, resolveBrowser } from './engine/browser.ts';
import { clearStaleLocks, killProfileBrowsers, prepareProfile } from './engine/profile.ts';
import { createWhatsAppEngine } from './engine/whatsapp-web.ts';
import { networkArgs } from './network-args.ts';
import { runWorker } from './run-worker.ts';

await runWorker(async () => {
  const browser = await resolveBrowser({ chromiumPath: settings.chromiumPath, dataDir: settings.dataDir });
  if (!hasOwnSandbox(browser))
    log.warn(
      'Wirebird runs as root, so Chromium runs without its sandbox. Start Wirebird as an ordinary user: otherwise a page that escapes the browser has root access',
    );
  return {
    engine: createWhatsAppEngine({ browser, log }),
    networkArgs,
    async prepareProfile(profileDir) {
      await prepareProfile(profileDir);
      await killProfileBrowsers(profileDir);
      await clearStaleLocks(profileDir);
    },
    described: { browser: browser.kind, version: browser.version },
  };
});
