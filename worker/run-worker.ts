import { watchAlerts } from '#server/alerts/watch-alerts.ts';
import type { Engine } from '#server/core/engine.ts';
import { watchLinkingCodes } from '#server/numbers/watch-linking-codes.ts';
import { watchSearch } from '#server/operations/index-messages.ts';
import { watchCounts } from '#server/operations/keep-counts.ts';
import { collectDisks, startMetrics } from '#server/operations/start-metrics.ts';
import { forgetDeadProcesses } from '#server/operations/web-process.ts';
import { database, databaseUrl } from '#server/platform/db/client.ts';
import { DiskWatch } from '#server/platform/disk/disk-watch.ts';
import { placesOf } from '#server/platform/disk/places.ts';
import { log } from '#server/platform/log.ts';
import { logWhatOthersPrint } from '#server/platform/log-others.ts';
import { createMediaFetcher } from '#server/platform/media/media-fetcher.ts';
import { openSpool } from '#server/platform/media/spool.ts';
import { startBoss } from '#server/platform/queue/boss.ts';
import { allowedMediaHosts } from '#server/sandbox/media-hosts.ts';
import { settings } from '#server/settings.ts';
import { observeBrowsers } from './engine/browser-memory.ts';
import { handleLibraryRejection, handleSpawnError } from './engine/library-errors.ts';
import { memoryOf, processTable, withDescendants } from './engine/process-table.ts';
import { profilePath } from './engine/profile.ts';
import { handleCountJobs } from './jobs/counts.ts';
import { removeErasedPeriodically } from './jobs/erased-profiles.ts';
import { handleRetentionJobs } from './jobs/retention.ts';
import { handleSendJobs } from './jobs/send.ts';
import { MediaDownloads } from './numbers/dispatch/media-downloads.ts';
import { Supervisor, type SupervisorOptions } from './numbers/leases/supervisor.ts';
import { registerWorker, releaseDeadWorkers } from './profiles/dead-workers.ts';
import { volumeIdOf } from './profiles/volume.ts';
import { WebhookThread } from './webhooks/thread.ts';

/** How a worker runs its sessions. */
export interface Transport extends Pick<SupervisorOptions, 'networkArgs' | 'prepareProfile'> {
  engine: Engine;
  /** For the log. */
  described: Record<string, unknown>;
}

/** Runs this process as a worker that claims leases and runs sessions. SIGTERM ends it within the drain time. */
export async function runWorker(open: () => Promise<Transport>): Promise<void> {
  process.on('unhandledRejection', (reason) => {
    if (handleLibraryRejection(reason)) return;
    log.fatal({ err: reason }, 'unhandled rejection');
    process.exit(1);
  });
  process.on('uncaughtException', (error) => {
    if (handleSpawnError(error)) return;
    log.fatal({ err: error }, 'uncaught exception');
    process.exit(1);
  });
  logWhatOthersPrint();
  try {
    await start(await open());
  } catch (error) {
    log.fatal({ err: error }, 'the worker did not start');
    process.exit(1);
  }
}

async function start({ described, ...transport }: Transport): Promise<void> {
  const db = database();
  const disk = new DiskWatch({ places: placesOf(), log, stopBytes: settings.diskFreeBytesMin });
  await disk.start();
  const roomBytes = () => (disk.level('media') === 'ok' ? disk.roomBytes('media') : 0);
  const spool = await openSpool(settings.dataDir, { roomBytes });
  const fetch = createMediaFetcher({ spool, allowHosts: allowedMediaHosts(), ports: settings.mediaPorts });
  await forgetDeadProcesses({ database: db }, 'worker');
  const boss = await startBoss(db, 'worker');
  const supervisor = new Supervisor({
    database: db,
    log,
    media: new MediaDownloads({ database: db, log, fetch, spool }),
    profileDir: (numberId) => profilePath(settings.dataDir, numberId),
    volumeId: volumeIdOf(settings.dataDir),
    memoryBytes: memoryOfTree,
    disk,
    ...transport,
  });

  const webhooks = new WebhookThread({ database: db, databaseUrl: databaseUrl(), log });
  const stopAlerts = watchAlerts({ database: db });
  const stopLinkingCodes = watchLinkingCodes({ database: db });
  const stopCounts = watchCounts({ database: db });
  const stopSearch = watchSearch({ database: db });
  const stopMetrics = await startMetrics({ database: db }, 'worker');
  collectDisks(disk);
  observeBrowsers(() => supervisor.heldProfiles());
  const unregister = registerWorker(settings.dataDir, supervisor.workerId);
  let stopping = false;
  let stopErasing = () => {};
  const stop = async () => {
    if (stopping) return;
    stopping = true;
    const numbers = supervisor.heldProfiles().size;
    log.info({ numbers, withinSeconds: settings.drainSeconds }, 'worker stopping');
    stopErasing();
    await Promise.all([webhooks.stop(), supervisor.stop(settings.drainSeconds * 1000)]);
    disk.stop();
    unregister();
    log.info('worker stopped');
    await stopAlerts();
    await stopLinkingCodes();
    await stopCounts();
    await stopSearch();
    await stopMetrics();
    await boss.stop({ graceful: false });
    await db.close();
    process.exit(0);
  };
  process.on('SIGTERM', () => void stop());
  process.on('SIGINT', () => void stop());

  await releaseDeadWorkers({ database: db, dataDir: settings.dataDir, log });
  await supervisor.start();
  stopErasing = removeErasedPeriodically({ database: db, dataDir: settings.dataDir, log });
  await handleSendJobs(boss, (numberId) => supervisor.lookForWork(numberId));
  await handleRetentionJobs({ boss, database: db, log });
  await handleCountJobs({ boss, database: db });
  await webhooks.start();
  log.info({ ...described, workerId: supervisor.workerId }, 'worker ready');
  process.send?.('ready');
}

/** Memory of this process and its descendants, in bytes; null on systems that do not report it. */
async function memoryOfTree(): Promise<number | null> {
  if (process.platform !== 'linux') return null;
  const table = processTable();
  const self = table.filter(({ pid }) => pid === process.pid);
  return memoryOf(withDescendants(self, table));
}
