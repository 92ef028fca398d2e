import { mkdir, writeFile } from 'node:fs/promises';
import os from 'node:os';
import { benchManyNumbers } from './many-numbers.ts';
import { benchSendLatency } from './send-latency.ts';
import { benchSlowMedia } from './slow-media.ts';
import { benchSpacing } from './spacing.ts';
import { benchStart } from './start.ts';
import { benchStatus } from './status.ts';
import { benchWaiting } from './waiting.ts';

/** `npm run bench`: everything in one run, as ratios; the figures go to `bench-results/` as JSON. */
const benches = {
  'send-latency': benchSendLatency,
  spacing: benchSpacing,
  'many-numbers': benchManyNumbers,
  waiting: benchWaiting,
  'slow-media': benchSlowMedia,
  status: benchStatus,
  start: benchStart,
};

const results: Record<string, unknown> = {
  machine: {
    cpus: os.cpus().length,
    model: os.cpus()[0]?.model ?? 'unknown',
    memoryGiB: Math.round(os.totalmem() / 2 ** 30),
    node: process.version,
  },
};
const only = process.argv.slice(2);
for (const [name, bench] of Object.entries(benches)) {
  if (only.length > 0 && !only.includes(name)) continue;
  results[name] = await bench();
  console.log(name, JSON.stringify(results[name], null, 2));
}
console.table(ratiosOf(results));
await mkdir('bench-results', { recursive: true });
await writeFile(
  `bench-results/${new Date().toISOString().replaceAll(':', '-')}.json`,
  `${JSON.stringify(results, null, 2)}\n`,
);

/** Every figure that stands beside its floor, as a share of it. */
function ratiosOf(value: unknown, name = '', inRatio = false): { what: string; ratio: number }[] {
  if (typeof value === 'number') return inRatio ? [{ what: name, ratio: value }] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    const isRatio = key === 'ratio' || key === 'ratios';
    return ratiosOf(inner, isRatio ? name : `${name} ${key}`.trim(), inRatio || isRatio);
  });
}
