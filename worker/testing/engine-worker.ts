import { log } from '#server/platform/log.ts';
import { settings } from '#server/settings.ts';
import { resolveBrowser } from '#worker/engine/browser.ts';
import { createWhatsAppEngine } from '#worker/engine/whatsapp-web.ts';

/**
 * A worker of one session, for tests that kill it: `node engine-worker.ts <data directory> <profile directory>
 * <network arguments as JSON>`. Prints `qr <qr>` and `ready`, one per line.
 */
const [dataDir = '', profileDir = '', networkArgs = '[]'] = process.argv.slice(2);
const engine = createWhatsAppEngine({
  browser: await resolveBrowser({ chromiumPath: settings.chromiumPath, dataDir }),
  log,
});
const session = engine.open(
  {
    numberId: 'num_worker',
    profileDir,
    networkArgs: JSON.parse(networkArgs) as string[],
    mayDispatch: async () => true,
  },
  {
    state: ({ state }) => (state === 'ready' ? console.log('ready') : undefined),
    qr: (qr) => console.log(`qr ${qr}`),
    ack: () => {},
    notSent: () => {},
  },
);
await session.start();
