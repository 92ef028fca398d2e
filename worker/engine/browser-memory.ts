import { metrics } from '#server/platform/metrics/metrics.ts';
import { memoryOf } from './process-table.ts';
import { processesOf } from './profile.ts';

/** Reading a process's memory takes milliseconds, so not every scrape reads it. */
const CACHED_MS = 20_000;

/** The memory of a profile's browser in bytes; 0 if it has none. */
export const browserMemory = (profileDir: string): Promise<number> => memoryOf(processesOf(profileDir));

/** Makes the gauges report this worker's sessions and the memory of their browsers. */
export function observeBrowsers(profiles: () => Map<string, string>): void {
  const { browserMemory: gauge, sessionsHeld } = metrics();
  let readAtMs = Number.NEGATIVE_INFINITY;
  const read = async () => {
    const held = profiles();
    sessionsHeld.set(held.size);
    if (performance.now() - readAtMs < CACHED_MS) return;
    readAtMs = performance.now();
    gauge.reset();
    for (const [number, profileDir] of held) {
      const bytes = await browserMemory(profileDir);
      if (bytes > 0) gauge.set({ number }, bytes);
    }
  };
  Object.assign(gauge, { collect: read });
  Object.assign(sessionsHeld, { collect: () => sessionsHeld.set(profiles().size) });
}
