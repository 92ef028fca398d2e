import { existsSync, mkdirSync, symlinkSync } from 'node:fs';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { PgBoss } from 'pg-boss';
import { signUp } from '#server/people/sign-up.ts';
import { activatePlan } from '#server/plans/activate-plan.ts';
import { makeSecrets, secret } from '#server/platform/secrets.ts';
import { sandboxClient } from '#server/sandbox/client.ts';
import { childEnvironment } from '#server/settings.ts';
import type { WithSql } from '#server/testing/sql.ts';
import { lendBrowser } from '#worker/testing/engine-browser.ts';
import { Cli } from '../cli.ts';
import { freePort } from '../stack.ts';
import { Child, type Running } from './child.ts';
import type { DatabaseProxy } from './database-proxy.ts';
import { type FileServer, serveFiles } from './file-server.ts';
import { ACTOR, type FaultNumber, FaultNumbers } from './numbers.ts';
import type { SmallVolume } from './small-volume.ts';
import {
  browserlessTransport,
  chromiumTransport,
  type KeyField,
  type Transport,
  type TransportName,
} from './transport.ts';
import { type DatabaseKind, openWorldDatabase } from './world-database.ts';

/** The engine's times, lowered for the sandbox. */
export const INTERVAL_MS = 2000;
const ACK_TIMEOUT_MS = 3000;
/** A browser takes longer to start than its lease may stay unrenewed; a busy machine delays workers by seconds. */
const LEASE_MS = { chromium: 8000, browserless: 6000 };

/** Sessions stop below it: so little that a small volume can be filled. */
export const DISK_FREE_MIB_MIN = 24;

/** The product's real processes on a database of their own, with a proxy in front of it for each. */
export interface World {
  transport: Transport;
  databaseKind: DatabaseKind;
  /** Set if the row needs it. */
  databaseVolume: SmallVolume | null;
  dataDir: string;
  /** The test's own connection to the database, without a proxy. */
  database: WithSql;
  boss: PgBoss;
  accountId: string;
  url: string;
  web: Running;
  worker: Running;
  /** A second worker on the same volume, and the customer's backend, which gets webhooks: not started yet. */
  otherWorker: Running;
  backend: Running;
  backendUrl: string;
  backendDir: string;
  /** One more worker, not started yet: on the first one's volume, or on its own volume and line. */
  newWorker(options?: { volume: string; line: DatabaseProxy }): Promise<Running>;
  /** One more web process, of this or another version, not started yet. */
  newWeb(entry?: string): Promise<{ child: Running; url: string }>;
  /** A separate line to the database. */
  newLine(): Promise<DatabaseProxy>;
  lines: { web: DatabaseProxy; worker: DatabaseProxy };
  /** Moves the clock of the database, in ms from the true one. */
  moveDatabaseClock(ms: number): Promise<void>;
  /** Silences all connections between worker and database for a time in ms, then breaks them. Returns the time. */
  silenceWorkerLine(ms: number): Promise<number>;
  /** Resolves when every pass beside this one has also called it. */
  allReady(): Promise<void>;
  /** A connected number with a key. Every row gets the same numbers, by place. */
  number(place?: number): Promise<FaultNumber>;
  /** A new number, for rows that leave it unusable. */
  freshNumber(): Promise<FaultNumber>;
  /** Links a number again whose link was removed. */
  link(number: FaultNumber): Promise<void>;
  statusOf(number: FaultNumber): Promise<string>;
  untilStatus(number: FaultNumber, status: string, withinMs?: number): Promise<void>;
  sandbox: ReturnType<typeof sandboxClient>;
  /** Files that the media fetcher may fetch. */
  files: Omit<FileServer, 'stop'>;
  cli<T>(...args: string[]): Promise<T>;
  /** Kills and restarts PostgreSQL; on a given database, ends every connection instead. */
  restartDatabase(): Promise<void>;
  /** Everything as it was: processes running, lines plain, clocks right, no rules, numbers connected. */
  repair(): Promise<void>;
  stop(): Promise<void>;
}

export interface WorldOptions {
  transport: TransportName;
  database?: DatabaseKind;
  /** The key field of the simulated page's build; by default that of the sandbox. */
  keyField?: KeyField | undefined;
  /** Settings that replace those of the rows. */
  env?: Record<string, string>;
  /** Settings of workers only. */
  workerEnv?: Record<string, string>;
  /** The embedded database lies on a volume of this size. */
  databaseMib?: number;
  /** Without a browser: how long a message travels at most. */
  travelMsMax?: number;
}

export async function startWorld(options: WorldOptions): Promise<World> {
  const cleanup = new AsyncDisposableStack();
  try {
    return await open(options, cleanup);
  } catch (error) {
    await cleanup.disposeAsync();
    throw error;
  }
}

async function open(options: WorldOptions, cleanup: AsyncDisposableStack): Promise<World> {
  const databaseKind = options.database ?? 'embedded';
  const dataDir = await mkdtemp(path.join(os.tmpdir(), 'wirebird-faults-'));
  cleanup.defer(() => rm(dataDir, { recursive: true, force: true }));
  if (options.transport === 'chromium') await lendBrowser(dataDir);
  const opened = await openWorldDatabase({ kind: databaseKind, dataDir, mib: options.databaseMib }, cleanup);
  const { name, databaseUrl, database, lines } = opened;

  const files = await serveFiles();
  cleanup.defer(() => files.stop());
  const [port, backendPort] = [await freePort(), await freePort()];
  const leaseMs = LEASE_MS[options.transport];
  makeSecrets();
  const base = {
    DATA_DIR: dataDir,
    WIREBIRD_ENV: 'local',
    LOG_LEVEL: 'info',
    PORT: String(port),
    SANDBOX: 'on',
    SANDBOX_SEND_INTERVAL_MS: String(INTERVAL_MS),
    SANDBOX_ACK_TIMEOUT_MS: String(ACK_TIMEOUT_MS),
    SANDBOX_LEASE_MS: String(leaseMs),
    SANDBOX_RESTART_PAUSE_MS_MAX: '2000',
    DISK_FREE_MB_MIN: String(DISK_FREE_MIB_MIN),
    MEDIA_ALLOW_HOSTS: files.host,
    WEBHOOK_ALLOW_HOSTS: `127.0.0.1:${backendPort}`,
    RATE_SENDS_PER_MINUTE: '1000000',
    RATE_READS_PER_MINUTE: '1000000',
    // The test links numbers with what the workers have sealed, and each worker may have its own data directory.
    DATA_KEY: secret('dataKey'),
    KEY_PEPPER: secret('keyPepper'),
    AUTH_SECRET: secret('authSecret'),
    ...options.env,
  };
  const transport =
    options.transport === 'chromium'
      ? chromiumTransport(dataDir, { ...base, DATABASE_URL: databaseUrl }, options.keyField ?? '$1')
      : await browserlessTransport(options.travelMsMax ?? 0);
  const web = new Child({
    entry: path.join(import.meta.dirname, 'web.ts'),
    env: { ...base, DATABASE_URL: lines.web.url },
  });
  const workers: Child[] = [];
  const newWorker = (own?: { volume: string; line: DatabaseProxy }) => {
    const ownDir = own && path.join(dataDir, `volume-${own.volume}`);
    if (ownDir && transport.name === 'chromium') shareSandbox(dataDir, ownDir);
    const env = {
      ...base,
      ...options.workerEnv,
      ...(ownDir && { DATA_DIR: ownDir }),
      DATABASE_URL: (own?.line ?? lines.worker).url,
      DRAIN_SECONDS: '60',
    };
    const made = new Child({ ...transport.worker, env });
    workers.push(made);
    return made;
  };
  const newWeb: World['newWeb'] = async (entry = path.join(import.meta.dirname, 'web.ts')) => {
    const port = await freePort();
    const child = new Child({
      entry,
      env: { ...base, PORT: String(port), DATABASE_URL: lines.web.url },
    });
    workers.push(child);
    return { child, url: `http://127.0.0.1:${port}` };
  };
  const worker = newWorker();
  const otherWorker = newWorker();
  const backendDir = path.join(dataDir, 'backend');
  await mkdir(backendDir);
  const backend = new Child({
    entry: path.join(import.meta.dirname, 'backend.ts'),
    args: [String(backendPort), backendDir],
    env: base,
  });
  cleanup.defer(() => transport.stop());
  cleanup.defer(async () => {
    await Promise.all([web, backend, ...workers].map((child) => child.end('SIGTERM')));
  });
  await transport.start();
  await Promise.all([web.start(), worker.start()]);

  const { accountId } = await signUp(
    { database },
    {
      email: `${name}@example.com`,
      password: 'a kingfisher dives at dusk',
      operator: ACTOR,
    },
  );
  await activatePlan(
    { database, accountId, actor: ACTOR },
    { numbersIncluded: 1000, paidUntil: '2999-12-31' },
  );

  const commands = new Cli(childEnvironment({ ...base, DATABASE_URL: databaseUrl }));
  cleanup.defer(() => commands.stop());
  const cli = <T>(...args: string[]) => commands.run<T>(args);

  const numbers = new FaultNumbers({
    database,
    transport,
    accountId,
    cli: commands,
    keptAfterMs: leaseMs / 3,
  });
  let databaseRestarted = false;
  const repair = async () => {
    lines.web.restore();
    lines.worker.restore();
    await opened.moveClock(0);
    if (!web.running) await web.start();
    if (!worker.running) await worker.start();
    worker.shiftClock(0);
    for (const number of numbers.all) await transport.clearRules(number);
    for (const number of numbers.all) {
      await transport.reconnect(number);
      await numbers.untilStatus(number, 'CONNECTED', 90_000);
      if (databaseRestarted) await numbers.untilKept(number);
    }
    databaseRestarted = false;
  };
  const sandbox = sandboxClient(dataDir);

  return {
    transport,
    databaseKind,
    databaseVolume: opened.volume,
    dataDir,
    database,
    boss: opened.boss,
    accountId,
    url: `http://127.0.0.1:${port}`,
    web,
    worker,
    otherWorker,
    backend,
    backendDir,
    backendUrl: `http://127.0.0.1:${backendPort}`,
    newWorker: async (own) => newWorker(own),
    newWeb,
    newLine: opened.newLine,
    moveDatabaseClock: opened.moveClock,
    async silenceWorkerLine(ms) {
      lines.worker.refusing = true;
      lines.worker.swallow();
      await delay(ms);
      lines.worker.restore();
      lines.worker.cut();
      return ms;
    },
    allReady: async () => {},
    lines,
    number: (place) => numbers.at(place),
    freshNumber: () => numbers.fresh(),
    link: (number) => numbers.link(number),
    statusOf: (number) => numbers.statusOf(number),
    untilStatus: (number, status, withinMs) => numbers.untilStatus(number, status, withinMs),
    sandbox,
    files,
    cli,
    async restartDatabase() {
      databaseRestarted = true;
      await opened.restart();
    },
    repair,
    stop: () => cleanup.disposeAsync(),
  };
}

/** Lets a worker with a separate data directory find the sandbox of this one. */
function shareSandbox(dataDir: string, ownDir: string): void {
  mkdirSync(ownDir, { recursive: true, mode: 0o700 });
  const link = path.join(ownDir, 'sandbox');
  if (!existsSync(link)) symlinkSync(path.join(dataDir, 'sandbox'), link);
}
