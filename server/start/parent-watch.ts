/**
 * Preloaded into every process that the supervisor starts (`--import …?parent=<pid>`). A killed supervisor cannot
 * stop its processes, so each one notices the closed channel and stops cleanly if it can.
 */
import { isMainThread } from 'node:worker_threads';
import '#server/platform/process/fast-imports.ts';
import { processIdentity } from '#server/platform/process/identity.ts';

const FORCED_AFTER_MS = 12_000;

// Node passes the preload on to threads and to processes that such a process starts, and their channels are not
// the supervisor's.
const parent = Number(new URL(import.meta.url).searchParams.get('parent'));
if (isMainThread && process.ppid === parent) watch();
// The supervisor was killed before this process had loaded.
else if (isMainThread && processIdentity(parent) === null) process.exit(1);

function watch(): void {
  process.once('disconnect', () => {
    setTimeout(() => process.kill(process.pid, 'SIGKILL'), FORCED_AFTER_MS).unref();
    process.kill(process.pid, 'SIGTERM');
  });
  // The watch must not keep the process running.
  process.channel?.unref();
  // The output has no reader any more; a process that writes while it stops must not fail.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
}
