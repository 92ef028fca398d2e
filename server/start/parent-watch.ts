/**
 * Preloaded into every part that the supervisor starts (`--import …?parent=<pid>`). A supervisor that was
 * killed outright stops nobody: its parts notice the closed channel and stop on their own, in order as far
 * as they can.
 */
import { isMainThread } from 'node:worker_threads';

const FORCED_AFTER_MS = 12_000;

// Node hands the preload down to threads and processes that a part starts for itself, whose channels are not ours.
const parent = Number(new URL(import.meta.url).searchParams.get('parent'));
if (isMainThread && process.ppid === parent) watch();

function watch(): void {
  process.once('disconnect', () => {
    setTimeout(() => process.kill(process.pid, 'SIGKILL'), FORCED_AFTER_MS).unref();
    process.kill(process.pid, 'SIGTERM');
  });
  // Watching must not be what keeps a part alive.
  process.channel?.unref();
  // Nobody reads the output any more; a part that writes while it stops must not fail over that.
  for (const stream of [process.stdout, process.stderr]) stream.on('error', () => {});
}
