import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { personOf } from '#server/core/recipient.ts';
import { sendMessage } from '#server/messages/send-message.ts';
import { openLinking } from '#server/numbers/link-number.ts';
import { shownNumberState } from '#server/numbers/queries/number-status.ts';
import { beatAsWeb } from '#server/operations/web-process.ts';
import { setDatabase } from '#server/platform/db/client.ts';
import { log } from '#server/platform/log.ts';
import { createMediaFetcher } from '#server/platform/media/media-fetcher.ts';
import { openSpool } from '#server/platform/media/spool.ts';
import { startBoss, stopClientBoss } from '#server/platform/queue/boss.ts';
import { createTestDatabase } from '#server/testing/database.ts';
import { CLI, makeAccount, makeNumber } from '#server/testing/domain.ts';
import { profilePath } from '../engine/profile.ts';
import { handleSendJobs } from '../jobs/send.ts';
import { MediaDownloads } from '../numbers/dispatch/media-downloads.ts';
import { Supervisor } from '../numbers/leases/supervisor.ts';
import { volumeIdOf } from '../profiles/volume.ts';
import { lentDisk } from './lent-disk.ts';
import { NetworkServer } from './network-server.ts';
import { remoteEngine } from './remote-engine.ts';
import { until } from './world.ts';

export type FleetWorld = Awaited<ReturnType<typeof startFleetWorld>>;

/** Several workers, each with its own volume, over one real PostgreSQL and a network without browsers. */
export async function startFleetWorld() {
  const database = await createTestDatabase();
  setDatabase(database);
  const directory = await mkdtemp(path.join(os.tmpdir(), 'wirebird-fleet-'));
  const network = await NetworkServer.start();
  const boss = await startBoss(database, 'worker');
  const stopBeat = await beatAsWeb({ database });
  const { accountId } = await makeAccount(database, 100);
  const running = new Set<Supervisor>();
  await handleSendJobs(boss, (numberId) => {
    for (const supervisor of running) supervisor.lookForWork(numberId);
  });
  const disks = new Map<string, ReturnType<typeof lentDisk>>();

  /** The disk of the volume of this name. */
  function disk(volume: string): ReturnType<typeof lentDisk> {
    const made = disks.get(volume) ?? lentDisk();
    disks.set(volume, made);
    return made;
  }

  /** Starts a worker on the volume of this name. */
  async function startWorker(volume: string): Promise<Supervisor> {
    const dataDir = path.join(directory, volume);
    const spool = await openSpool(dataDir);
    const fetch = createMediaFetcher({ spool, allowHosts: [], ports: [] });
    const supervisor = new Supervisor({
      database,
      engine: remoteEngine(network.port),
      log,
      media: new MediaDownloads({ database, log, spool, fetch }),
      profileDir: (numberId) => profileDir(volume, numberId),
      volumeId: volumeIdOf(dataDir),
      networkArgs: () => [],
      prepareProfile: async () => {},
      disk: disk(volume).watch,
    });
    await supervisor.start();
    running.add(supervisor);
    return supervisor;
  }

  async function stopWorker(supervisor: Supervisor, withinMs?: number): Promise<void> {
    running.delete(supervisor);
    await supervisor.stop(withinMs);
  }

  const profileDir = (volume: string, numberId: string) =>
    profilePath(path.join(directory, volume), numberId);

  const statusOf = async (numberId: string) => (await shownNumberState(database.db, { numberId })).status;

  let phones = 0;
  /** A number whose own phone has scanned its code, on any worker. */
  async function addLinkedNumber(): Promise<string> {
    const phone = String(99_900_000_000 + ++phones);
    const numberId = await makeNumber(database, { accountId });
    await database.sql`update numbers set send_interval_seconds = 0 where id = ${numberId}`;
    await openLinking({ database, accountId, actor: CLI }, { numberId });
    await until(async () => {
      network.link(numberId, phone);
      return (await statusOf(numberId)) === 'CONNECTED';
    });
    return numberId;
  }

  /** How many of the numbers each of these workers holds. */
  async function spread(...workers: Supervisor[]): Promise<number[]> {
    const rows = await database.sql<{ id: string; count: number }[]>`
      select worker_id as id, count(*)::int as count from leases where worker_id is not null group by 1`;
    return workers.map(({ workerId }) => rows.find(({ id }) => id === workerId)?.count ?? 0);
  }

  let texts = 0;
  return {
    database,
    network,
    disk,
    profileDir,
    accountId,
    startWorker,
    stopWorker,
    statusOf,
    addLinkedNumber,
    spread,
    /** Sends a text from a number and resolves when the network has accepted it. */
    async send(numberId: string): Promise<void> {
      texts += 1;
      const content = { type: 'text', body: `text ${texts}` } as const;
      await sendMessage(
        { database, accountId, numberId, keyId: null },
        {
          ...{ recipient: personOf('4915228817386'), content },
          mode: { kind: 'sync' },
          arrivedAtMs: performance.now(),
          idempotencyKey: null,
          requestId: null,
          requestHash: null,
          reference: null,
          signal: new AbortController().signal,
        },
      );
    },
    async stop() {
      await Promise.all([...running].map((supervisor) => supervisor.stop()));
      await boss.stop({ graceful: false });
      await stopClientBoss();
      await stopBeat();
      await network.stop();
      await database.drop();
      await rm(directory, { recursive: true, force: true });
    },
  };
}
