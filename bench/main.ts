import { mkdir, writeFile } from 'node:fs/promises';
import os from 'node:os';
import { parseArgs } from 'node:util';
import { benchDashboard } from './dashboard.ts';
import { benchFleet } from './fleet.ts';
import { benchGrowth } from './growth.ts';
import { benchHealth } from './health.ts';
import { benchManyNumbers } from './many-numbers.ts';
import { benchMemory } from './memory.ts';
import { benchMessages } from './messages.ts';
import { benchNeighbours } from './neighbours.ts';
import { benchRestart } from './restart.ts';
import { benchSearch } from './search.ts';
import { benchSendLatency } from './send-latency.ts';
import { benchSlowMedia } from './slow-media.ts';
import { benchSoak } from './soak.ts';
import { benchSpacing } from './spacing.ts';
import { benchStart } from './start.ts';
import { benchStatus } from './status.ts';
import { benchStatusBeside } from './status-beside.ts';
import { benchWaiting } from './waiting.ts';
import { benchWebhooks } from './webhooks.ts';

/**
 * `npm run bench`: all benchmarks, as ratios; the figures go to `bench-results/` as JSON. Names select some
 * (`npm run bench status start`), `-- --without memory,fleet` leaves some out. Memory, fleet and many numbers
 * run in a short form; `bench:memory`, `bench:fleet` and `-- --long` run the full one. `growth` takes `-- --rows 3000000` and
 * `--numbers 1,200`, the numbers of its parts.
 * `soak` runs only by name: `npm run bench soak -- --minutes 120`, or `-- --browsers 8 --minutes 30`.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    without: { type: 'string', default: '' },
    long: { type: 'boolean', default: false },
    rows: { type: 'string', default: '1000000' },
    minutes: { type: 'string', default: '120' },
    numbers: { type: 'string' },
    browsers: { type: 'string', default: '0' },
    rate: { type: 'string', default: '0' },
    out: { type: 'string', default: 'soak-results.jsonl' },
  },
});

const benches: Record<string, () => Promise<unknown>> = {
  'send-latency': benchSendLatency,
  spacing: benchSpacing,
  'many-numbers': () => benchManyNumbers(values.long ? 300 : 60),
  waiting: benchWaiting,
  'slow-media': benchSlowMedia,
  neighbours: benchNeighbours,
  webhooks: benchWebhooks,
  status: benchStatus,
  'status-beside': benchStatusBeside,
  search: benchSearch,
  messages: benchMessages,
  growth: () =>
    benchGrowth({ rows: Number(values.rows), numbers: (values.numbers ?? '1,200').split(',').map(Number) }),
  start: benchStart,
  dashboard: benchDashboard,
  restart: benchRestart,
  health: async () => benchHealth(),
  memory: () => benchMemory({}),
  fleet: benchFleet,
  soak: () =>
    benchSoak({
      minutes: Number(values.minutes),
      numbers: Number(values.numbers ?? 200),
      browsers: Number(values.browsers),
      rate: Number(values.rate),
      out: values.out,
    }),
};
/** It takes hours. */
const ONLY_BY_NAME = ['soak'];

const without = values.without.split(',').filter(Boolean);
for (const name of [...positionals, ...without]) {
  if (!(name in benches))
    throw new Error(`there is no "${name}"; there are ${Object.keys(benches).join(', ')}`);
}
const chosen = Object.entries(benches).filter(
  ([name]) =>
    (positionals.length === 0 ? !ONLY_BY_NAME.includes(name) : positionals.includes(name)) &&
    !without.includes(name),
);

const results: Record<string, unknown> = {
  machine: {
    cpus: os.cpus().length,
    model: os.cpus()[0]?.model ?? 'unknown',
    memoryGiB: Math.round(os.totalmem() / 2 ** 30),
    node: process.version,
  },
};
const tookSeconds: Record<string, number> = {};
for (const [name, bench] of chosen) {
  const from = performance.now();
  try {
    results[name] = await bench();
  } catch (error) {
    // A failure of one benchmark does not lose the results of the others.
    results[name] = { error: error instanceof Error ? error.message : String(error) };
    process.exitCode = 1;
  }
  tookSeconds[name] = Math.round((performance.now() - from) / 1000);
  console.log(`${name}, ${tookSeconds[name]} s`, JSON.stringify(results[name], null, 2));
}
console.table(ratiosOf(results));
await mkdir('bench-results', { recursive: true });
await writeFile(
  `bench-results/${new Date().toISOString().replaceAll(':', '-')}.json`,
  `${JSON.stringify({ ...results, tookSeconds }, null, 2)}\n`,
);
// An open connection of a benchmark does not keep the process running.
process.exit();

/** Every figure that has a floor, as a share of it. */
function ratiosOf(value: unknown, name = '', inRatio = false): { what: string; ratio: number }[] {
  if (typeof value === 'number') return inRatio ? [{ what: name, ratio: value }] : [];
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    const isRatio = key === 'ratio' || key === 'ratios';
    return ratiosOf(inner, isRatio ? name : `${name} ${key}`.trim(), inRatio || isRatio);
  });
}
