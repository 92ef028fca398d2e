import type { Engine } from '#server/core/engine.ts';
import { ACK_TIMEOUT_MS } from '#server/core/pacing/waits.ts';
import type { BuildSetting } from '#server/core/page-build.ts';
import { type claimLeases, leaseMs } from '#server/numbers/queries/leases.ts';
import type { SessionRow } from '#server/numbers/queries/sessions.ts';
import type { Database } from '#server/platform/db/client.ts';
import type { DiskWatch } from '#server/platform/disk/disk-watch.ts';
import type { Log } from '#server/platform/log.ts';
import { settings } from '#server/settings.ts';
import { layDown, restoreGoodCopy, takeUp } from '../profiles/take-up.ts';
import { RESTART_PAUSE_MS_MAX } from './back-off.ts';
import type { LeasedNumbers } from './leased-numbers.ts';
import type { MediaStage } from './media-stage.ts';
import { NumberWorker } from './number-worker.ts';
import type { SendThrottle } from './send-throttle.ts';
import type { ServicePause } from './service-pause.ts';
import type { StartGate } from './start-gate.ts';

/** What every number of a worker process is run with. */
export interface BeginOptions {
  database: Database;
  engine: Engine;
  log: Log;
  media: MediaStage;
  profileDir(numberId: string): string;
  /** Of the volume that the profiles lie on. */
  volumeId: string;
  networkArgs(network: SessionRow['network']): readonly string[];
  /** Clears what a killed worker left of a profile; called under the lease, before the first start. */
  prepareProfile(profileDir: string): Promise<void>;
  disk: DiskWatch;
  /** Which build of WhatsApp Web the operator wants; without it, what the setting says. */
  buildSetting?: BuildSetting;
}

/** A lease as it was claimed. */
export type ClaimedLease = Awaited<ReturnType<typeof claimLeases>>[number];

interface BeginParams {
  workerId: string;
  gate: StartGate;
  throttle: SendThrottle;
  servicePause: ServicePause;
  held: LeasedNumbers;
  lease: ClaimedLease;
  /** When the lease was asked for, on the monotonic clock. */
  claimedAtMs: number;
  /** The process takes up nothing any more. */
  isDraining(): boolean;
}

/**
 * Takes a number's profile up under its new lease and starts to work it; from then on it is held. Throws when it
 * could not be taken up, or is not wanted any more: it may be held even so.
 */
export async function beginNumber(o: BeginOptions, params: BeginParams): Promise<void> {
  const { database, engine, log, media, volumeId, disk } = o;
  const { workerId, gate, throttle, servicePause, held, lease, claimedAtMs, isDraining } = params;
  const { numberId, fence } = lease;
  const holding = { numberId, workerId, fence };
  const profileDir = o.profileDir(numberId);
  // A lease can run out and be claimed anew by the very worker that still runs its session, after a pause of
  // the process or a jump of the database's clock between renewing and claiming.
  await held.abandon(numberId);
  if (isDraining()) throw new Error('the worker is drained');
  await o.prepareProfile(profileDir);
  const profile = { database, holding, profileDir, volumeId };
  const source = await takeUp(profile);
  if (source !== 'here') log.info({ numberId, source }, 'profile taken up');
  if (isDraining()) {
    await layDown(profile, { linked: true, log, roomBytes: disk.freeBytes('database') });
    throw new Error('the worker is drained');
  }
  const worker = new NumberWorker({
    database,
    engine,
    log,
    gate,
    throttle,
    servicePause,
    media,
    holding,
    profileDir,
    source,
    buildSetting: o.buildSetting ?? settings.whatsappBuild,
    restoreGoodCopy: () => restoreGoodCopy(profile),
    networkArgs: (network) => o.networkArgs(network),
    ackTimeoutMs: (row) =>
      (row.network === 'sandbox' ? settings.sandboxAckTimeoutMs : undefined) ?? ACK_TIMEOUT_MS,
    restartPauseMsMax: (row) =>
      (row.network === 'sandbox' ? settings.sandboxRestartPauseMsMax : undefined) ?? RESTART_PAUSE_MS_MAX,
    isHeld: () => held.isHeld(holding),
    mayDispatch: () => held.mayDispatch(holding),
    onIdle: () => void held.stop(numberId),
  });
  held.add(numberId, { fence, worker, leaseMs: leaseMs(lease.network), renewedAtMs: claimedAtMs });
  await worker.start();
}
