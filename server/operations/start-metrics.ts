import type { InstallationContext } from '#server/platform/db/context.ts';
import type { DiskWatch } from '#server/platform/disk/disk-watch.ts';
import { DISK_LEVELS } from '#server/platform/disk/levels.ts';
import { metrics } from '#server/platform/metrics/metrics.ts';
import { serveMetrics } from '#server/platform/metrics/serve.ts';
import { settings } from '#server/settings.ts';
import { NUMBER_FIGURES, RESTRICTIONS, readFigures } from './queries/installation-figures.ts';
import { findSearchWait } from './queries/search-wait.ts';

/** Gauges are queried on a scrape, at most this often. */
const FRESH_MS = 2_000;

/**
 * Serves this process's metrics on `METRICS_PORT`, with its pool's state and, in a web process, the installation's
 * figures. Does nothing without the setting. Resolves to a function that stops it.
 */
export async function startMetrics(
  { database }: InstallationContext,
  kind: 'web' | 'worker',
): Promise<() => Promise<void>> {
  if (settings.metricsPort === undefined) return async () => {};
  collectPool({ database });
  if (kind === 'web') collectInstallation({ database });
  const served = await serveMetrics({ host: settings.metricsHost, port: settings.metricsPort });
  return async () => served?.stop();
}

/** Makes the gauges of connections report those of this database. */
export function collectPool({ database }: InstallationContext): void {
  collectWith(metrics().pool, () => {
    const { total, idle, waiting } = database.pool.load();
    metrics().pool.set({ state: 'busy' }, total - idle);
    metrics().pool.set({ state: 'idle' }, idle);
    metrics().pool.set({ state: 'awaited' }, waiting);
  });
  const { pool, bossPool, webhooksPool, forPages } = database;
  collectWith(metrics().prepared, () => {
    const each = [pool, bossPool, webhooksPool, forPages.pool].map((one) => one.prepared());
    metrics().prepared.set(each.reduce((sum, n) => sum + n, 0));
  });
}

/** Makes the gauges of numbers, queues and workers report this database's. */
export function collectInstallation({ database }: InstallationContext): void {
  const { numbers, queueDepth, queueOldest, workers, restricted, searchWaits } = metrics();
  const { numbersByBuild, buildTested, buildKinds } = metrics();
  let reading: Promise<void> = Promise.resolve();
  let readAtMs = Number.NEGATIVE_INFINITY;
  const read = async () => {
    const [figures, searchWait] = await Promise.all([readFigures(database), findSearchWait(database)]);
    for (const status of NUMBER_FIGURES) numbers.set({ status }, figures.numbers.get(status) ?? 0);
    for (const lane of ['sync', 'async'] as const) {
      const queue = figures.queues.find((one) => one.lane === lane);
      queueDepth.set({ lane }, queue?.waiting ?? 0);
      queueOldest.set({ lane }, queue?.oldestSeconds ?? 0);
    }
    workers.set(figures.workers);
    searchWaits.set(searchWait?.seconds ?? 0);
    for (const limit of RESTRICTIONS) restricted.set({ limit }, figures.restricted[limit]);
    // Builds are forgotten after a while.
    numbersByBuild.reset();
    buildTested.reset();
    buildKinds.reset();
    for (const labels of figures.kinds) buildKinds.set(labels, 1);
    for (const { network, build, numbers: count, verdict } of figures.builds) {
      numbersByBuild.set({ network, build }, count);
      if (verdict !== null) buildTested.set({ network, build }, verdict === 'passed' ? 1 : 0);
    }
  };
  // One query serves all of them.
  const refresh = () => {
    if (performance.now() - readAtMs > FRESH_MS) {
      readAtMs = performance.now();
      reading = read();
    }
    return reading;
  };
  const ofQueues = [queueDepth, queueOldest, searchWaits];
  for (const gauge of [...ofQueues, numbers, workers, restricted, numbersByBuild, buildTested, buildKinds])
    collectWith(gauge, refresh);
}

/** Makes the gauges of disks report this watch's last measurement. */
export function collectDisks(watch: DiskWatch): void {
  const { diskFree, diskLevel } = metrics();
  const collect = () => {
    for (const { uses, freeBytes, level } of watch.volumes)
      for (const use of uses) {
        diskFree.set({ use }, freeBytes);
        diskLevel.set({ use }, DISK_LEVELS.indexOf(level));
      }
  };
  for (const gauge of [diskFree, diskLevel]) collectWith(gauge, collect);
}

/** Runs before a gauge is read. The library's types allow this only in the constructor. */
function collectWith(gauge: object, collect: () => void | Promise<void>): void {
  Object.assign(gauge, { collect });
}
