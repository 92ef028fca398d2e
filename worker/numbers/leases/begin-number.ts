import type { Engine } from '#server/core/engine.ts';
import { RESTART_PAUSE_MS_MAX } from '#server/core/number/machine.ts';
import type { Network } from '#server/core/number-state.ts';
import { ACK_TIMEOUT_MS } from '#server/core/pacing/waits.ts';
import type { BuildSetting } from '#server/core/page-build.ts';
import { type claimLeases, leaseMs } from '#server/numbers/queries/leases.ts';
import type { Database } from '#server/platform/db/client.ts';
import type { DiskWatch } from '#server/platform/disk/disk-watch.ts';
import type { Log } from '#server/platform/log.ts';
import { settings } from '#server/settings.ts';
import { acquireProfile, releaseProfile } from '../../profiles/acquire-profile.ts';
import type { Limiter } from '../../profiles/limiter.ts';
import type { IntervalGuard } from '../dispatch/interval-guard.ts';
import type { MediaDownloads } from '../dispatch/media-downloads.ts';
import { NumberRunner } from '../runner.ts';
import type { ServicePause } from '../service-pause.ts';
import type { LeasedNumbers } from './leased-numbers.ts';

/** What all numbers of a worker process share. */
export interface BeginOptions {
  database: Database;
  engine: Engine;
  log: Log;
  media: MediaDownloads;
  profileDir(numberId: string): string;
  /** The volume that holds the profiles. */
  volumeId: string;
  networkArgs(network: Network): readonly string[];
  /** Kills browsers and clears locks that a killed worker left; called under the lease, before the first start. */
  prepareProfile(profileDir: string): Promise<void>;
  disk: DiskWatch;
  /** Overrides `WHATSAPP_BUILD`. */
  buildSetting?: BuildSetting;
}

export type ClaimedLease = Awaited<ReturnType<typeof claimLeases>>[number];

interface BeginParams {
  workerId: string;
  starts: Limiter;
  intervalGuard: IntervalGuard;
  servicePause: ServicePause;
  leased: LeasedNumbers;
  lease: ClaimedLease;
  /** When the lease was requested, on the monotonic clock. */
  claimedAtMs: number;
  /** The process no longer starts numbers. */
  isDraining(): boolean;
}

/**
 * Acquires a number's profile under its new lease and starts the number. Throws if that fails or if the worker drains.
 * In that case the number may already be among the leased ones, and the caller must abandon it.
 */
export async function beginNumber(o: BeginOptions, params: BeginParams): Promise<void> {
  const { database, engine, log, media, volumeId, disk } = o;
  const { workerId, starts, intervalGuard, servicePause, leased, lease, claimedAtMs, isDraining } = params;
  const { numberId, fence } = lease;
  const holding = { numberId, workerId, fence };
  const profileDir = o.profileDir(numberId);
  leased.claimed(numberId, { fence, renewedAtMs: claimedAtMs });
  // After the process was suspended or the database's clock jumped, this worker may still run a session under the
  // number's expired lease.
  await leased.abandon(numberId);
  if (isDraining()) throw new Error('the worker is drained');
  await o.prepareProfile(profileDir);
  const profile = { database, holding, profileDir, volumeId };
  const source = await acquireProfile(profile);
  if (source !== 'here') log.info({ numberId, source }, 'profile acquired');
  if (isDraining()) {
    await releaseProfile(profile, { linked: true, log, roomBytes: disk.freeBytes('database') });
    throw new Error('the worker is drained');
  }
  const { network } = lease;
  const { sandboxAckTimeoutMs, sandboxRestartPauseMsMax } = settings;
  const isSandbox = network === 'sandbox';
  const runner = new NumberRunner({
    ...{ database, engine, log, starts, intervalGuard, servicePause, media, profile, source },
    buildSetting: o.buildSetting ?? settings.whatsappBuild,
    networkArgs: o.networkArgs(network),
    ackTimeoutMs: (isSandbox ? sandboxAckTimeoutMs : undefined) ?? ACK_TIMEOUT_MS,
    restartPauseMsMax: (isSandbox ? sandboxRestartPauseMsMax : undefined) ?? RESTART_PAUSE_MS_MAX,
    lease: {
      isHeld: () => leased.holdsLease(holding),
      allowsDispatch: () => leased.leaseAllowsDispatch(holding),
      release: () => void leased.stop(numberId),
    },
  });
  leased.add(numberId, { fence, runner, leaseMs: leaseMs(network) });
  await media.recover(holding);
  runner.start();
}
