import { log } from '#server/platform/log.ts';
import { settings } from '#server/settings.ts';
import { startSandbox } from './start-sandbox.ts';

/** The sandbox as a separate process: `node worker/sandbox/main.ts`, with DATA_DIR set. */

const PARENT_CHECK_MS = 1000;
const STOP_MS_MAX = 2000;

const sandbox = await startSandbox({ dataDir: settings.dataDir }).catch((error: unknown) => {
  log.fatal({ err: error }, 'the sandbox could not start');
  process.exit(1);
});
log.info(
  { httpsPort: sandbox.controlFile.httpsPort, samples: sandbox.controlFile.samples.host },
  'sandbox ready',
);
process.send?.('ready');

let stopping = false;
async function stop(reason: string): Promise<void> {
  if (stopping) return;
  stopping = true;
  log.info({ reason }, 'sandbox stopping');
  setTimeout(() => process.exit(1), STOP_MS_MAX).unref();
  await sandbox.stop();
  process.exit(0);
}

for (const signal of ['SIGTERM', 'SIGINT'] as const) process.on(signal, () => void stop(signal));

// A killed parent cannot stop its children, so they check whether their parent has changed.
const parent = process.ppid;
setInterval(() => {
  if (process.ppid !== parent) void stop('the parent is gone');
}, PARENT_CHECK_MS).unref();
