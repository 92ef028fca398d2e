import os from 'node:os';
import { removeProcess } from '#server/operations/queries/processes.ts';
import { type Fleet, readFleet, writeWorker } from '#server/operations/queries/workers.ts';
import type { Database } from '#server/platform/db/client.ts';
import type { DiskWatch } from '#server/platform/disk/disk-watch.ts';
import { pidSpace } from '#server/platform/process/identity.ts';
import { version } from '#server/platform/version.ts';

interface HeartbeatOptions {
  database: Database;
  workerId: string;
  volumeId: string;
  disk: DiskWatch;
  memoryBytes?(): Promise<number | null>;
  /** The process was asked to stop. */
  isLeaving(): boolean;
  /** All sessions are stopped because the disk is full. */
  isDiskFull(): boolean;
  /** An administrator asks the worker to drain, or to accept numbers again. */
  onDrain(drain: boolean): void;
}

/** What a worker reports of itself to the others, and whether an administrator drains it. */
export class WorkerHeartbeat {
  readonly #o: HeartbeatOptions;
  #memoryBytes: number | null = null;
  #drainRequested = false;

  constructor(options: HeartbeatOptions) {
    this.#o = options;
  }

  /** The worker no longer starts numbers, and hands its numbers over. */
  get draining(): boolean {
    return this.#drainRequested || this.#o.isLeaving();
  }

  /** Writes the heartbeat, follows a drain request, and reads how numbers are distributed. */
  async beat(): Promise<Fleet> {
    const { database, disk, volumeId, workerId } = this.#o;
    const { drain } = await writeWorker(database, {
      id: workerId,
      host: os.hostname(),
      pid: process.pid,
      pidSpace: pidSpace(),
      version,
      volumeId,
      memoryBytes: this.#memoryBytes,
      draining: this.draining,
      disk: {
        mediaRefused: disk.level('media') !== 'ok',
        sessionsStopped: this.#o.isDiskFull(),
        note: disk.note(),
      },
    });
    if (drain !== this.#drainRequested) {
      this.#drainRequested = drain;
      this.#o.onDrain(drain);
    }
    return readFleet(database, { workerId });
  }

  async measureMemory(): Promise<void> {
    this.#memoryBytes = (await this.#o.memoryBytes?.()) ?? null;
  }

  /** The worker has ended. */
  async end(): Promise<void> {
    await removeProcess(this.#o.database, { id: this.#o.workerId }).catch(() => {});
  }
}
