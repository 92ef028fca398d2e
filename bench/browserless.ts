import { randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import http from 'node:http';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { createApiKey } from '#server/api-keys/create-api-key.ts';
import { addNumber } from '#server/numbers/add-number.ts';
import { openLinking } from '#server/numbers/link-number.ts';
import { signUp } from '#server/people/sign-up.ts';
import { activatePlan } from '#server/plans/activate-plan.ts';
import { openDatabase, setDatabase } from '#server/platform/db/client.ts';
import { migrate } from '#server/platform/db/migrate.ts';
import { ensurePostgres } from '#server/platform/embedded/postgres.ts';
import { stopClientBoss } from '#server/platform/queue/boss.ts';
import { makeSecrets, secret } from '#server/platform/secrets.ts';
import { type WithSql, withSql } from '#server/testing/sql.ts';
import { NetworkServer } from '#worker/testing/network-server.ts';
import { Child } from '../e2e/faults/child.ts';
import { freePort } from '../e2e/stack.ts';

const ROOT = path.join(import.meta.dirname, '..');
const ACTOR = { kind: 'cli' } as const;
/** An account has at most 50 numbers that were never linked, and a busy machine cannot create many at once. */
const LINKED_AT_ONCE = 10;
const LINKED_WITHIN_MS = 60_000;

export interface BenchNumber {
  numberId: string;
  key: string;
}

/** The product's processes over a network without browsers: everything above the engine's port is real. */
export interface Browserless {
  database: WithSql;
  databaseUrl: string;
  /** Deleted at the end. */
  dataDir: string;
  /** The web process's origin. */
  url: string;
  network: NetworkServer;
  numbers: BenchNumber[];
  web: Child;
  worker: Child;
  /** How many changes the database has announced to each process, the web process first. */
  notifications(): Promise<number[]>;
  /** The text of each process's metrics, the web process first. */
  metrics(): Promise<string[]>;
  /** Posts a text, or a picture with a `url`, and resolves to the status of the answer. */
  post(
    number: BenchNumber,
    message: { to: string } & ({ body: string } | { url: string }),
    prefer?: string,
  ): Promise<number>;
  /** The process's resident memory, in bytes. */
  residentBytes(child: Child): Promise<number>;
  stop(): Promise<void>;
}

/** Starts a web process and one or more workers, with `numbers` connected numbers that send every `intervalMs`. */
export async function startBrowserless(options: {
  numbers: number;
  intervalMs: number;
  /** Each further worker has its own volume. */
  workers?: number;
  /** Each number belongs to another account. */
  accountEach?: boolean;
  mediaAllowHosts?: string;
  webhookAllowHosts?: string;
}): Promise<Browserless> {
  const cleanup = new AsyncDisposableStack();
  const dataDir = await mkdtemp(path.join(os.tmpdir(), 'wirebird-bench-'));
  cleanup.defer(() => rm(dataDir, { recursive: true, force: true }));
  const postgres = await ensurePostgres(path.join(dataDir, 'postgres'), { port: 0 });
  cleanup.defer(() => postgres.release());
  await migrate(postgres.url);
  const database = withSql(openDatabase(postgres.url));
  setDatabase(database);
  cleanup.defer(async () => {
    await stopClientBoss();
    await database.close();
  });
  const network = await NetworkServer.start();
  cleanup.defer(() => network.stop());
  const port = await freePort();
  makeSecrets();
  const env = {
    DATABASE_URL: postgres.url,
    DATA_DIR: dataDir,
    WIREBIRD_ENV: 'local',
    LOG_LEVEL: 'error',
    SANDBOX: 'on',
    PORT: String(port),
    SANDBOX_SEND_INTERVAL_MS: String(options.intervalMs),
    RATE_SENDS_PER_MINUTE: '1000000',
    MEDIA_ALLOW_HOSTS: options.mediaAllowHosts ?? '',
    WEBHOOK_ALLOW_HOSTS: options.webhookAllowHosts ?? '',
    // This process creates the keys.
    KEY_PEPPER: secret('keyPepper'),
    DATA_KEY: secret('dataKey'),
    AUTH_SECRET: secret('authSecret'),
  };
  const metricsPorts: number[] = [];
  const withMetrics = async () => {
    metricsPorts.push(await freePort());
    return { ...env, METRICS_PORT: String(metricsPorts.at(-1)) };
  };
  const web = new Child({ entry: path.join(ROOT, 'e2e/faults/web.ts'), env: await withMetrics() });
  const newWorker = async (volume: string) =>
    new Child({
      entry: path.join(ROOT, 'worker/testing/browserless-worker.ts'),
      args: [String(network.port)],
      env: { ...(await withMetrics()), DATA_DIR: path.join(dataDir, volume), DRAIN_SECONDS: '8' },
    });
  const worker = await newWorker('');
  const children = [web, worker];
  for (let n = 1; n < (options.workers ?? 1); n++) children.push(await newWorker(`volume-${n}`));
  cleanup.defer(async () => {
    await Promise.all(children.map((child) => child.end('SIGTERM')));
  });
  await Promise.all(children.map((child) => child.start()));
  const numbers = await linkNumbers(database, network, options);
  const agent = new http.Agent({ keepAlive: true });
  cleanup.defer(async () => agent.destroy());
  return {
    database,
    databaseUrl: postgres.url,
    dataDir,
    url: `http://127.0.0.1:${port}`,
    network,
    numbers,
    web,
    worker,
    notifications: async () =>
      (await Promise.all(metricsPorts.map(metricsOf))).map((text) =>
        metricOf(text, 'wirebird_notifications_total'),
      ),
    metrics: () => Promise.all(metricsPorts.map(metricsOf)),
    post: (number, message, prefer) => postMessage({ agent, port, key: number.key, message, prefer }),
    residentBytes: async ({ pid }) => {
      const status = await readFile(`/proc/${pid}/status`, 'utf8');
      return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) * 1024;
    },
    stop: () => cleanup.disposeAsync(),
  };
}

export async function metricsOf(metricsPort: number): Promise<string> {
  return (await fetch(`http://127.0.0.1:${metricsPort}/metrics`)).text();
}

/** The value of a metric without labels; NaN if there is none. */
export function metricOf(text: string, name: string): number {
  return Number(new RegExp(`^${name} (\\S+)`, 'm').exec(text)?.[1]);
}

async function linkNumbers(
  database: WithSql,
  network: NetworkServer,
  { numbers: count, accountEach }: { numbers: number; accountEach?: boolean },
): Promise<BenchNumber[]> {
  const shared = accountEach ? null : await makeAccount(database, count);
  const numbers: BenchNumber[] = [];
  while (numbers.length < count) {
    const batch = Array.from({ length: Math.min(LINKED_AT_ONCE, count - numbers.length) }, async () => {
      const accountId = shared ?? (await makeAccount(database, 1));
      const { id: numberId } = await addNumber({ database, accountId, actor: ACTOR }, { network: 'sandbox' });
      await openLinking({ database, accountId, actor: ACTOR }, { numberId });
      const { key } = await createApiKey({ database, accountId, actor: ACTOR }, { numberId });
      return { numberId, key };
    });
    numbers.push(...(await Promise.all(batch)));
    await untilConnected(database, network, numbers);
  }
  return numbers;
}

async function makeAccount(database: WithSql, numbersIncluded: number): Promise<string> {
  const { accountId } = await signUp(
    { database },
    {
      email: `${randomUUID()}@example.com`,
      password: 'a kingfisher dives at dusk',
      operator: ACTOR,
    },
  );
  await activatePlan({ database, accountId, actor: ACTOR }, { numbersIncluded, paidUntil: '2999-12-31' });
  return accountId;
}

async function untilConnected(
  database: WithSql,
  network: NetworkServer,
  numbers: BenchNumber[],
): Promise<void> {
  const until = performance.now() + LINKED_WITHIN_MS;
  for (;;) {
    const [row] = await database.sql<{ n: number }[]>`
      select count(*)::int as n from numbers where status = 'CONNECTED'`;
    if (row?.n === numbers.length) return;
    if (performance.now() > until) throw new Error(`${row?.n} of ${numbers.length} numbers are connected`);
    for (const [n, { numberId }] of numbers.entries()) network.link(numberId, phoneOf(n));
    await delay(100);
  }
}

const phoneOf = (n: number) => `999${String(n).padStart(9, '0')}`;

export function postMessage(params: {
  agent: http.Agent;
  port: number;
  key: string;
  message: { to: string } & ({ body: string } | { url: string });
  prefer?: string | undefined;
}): Promise<number> {
  const { agent, port, key, message, prefer } = params;
  const path = `/v1/messages/${'url' in message ? 'image' : 'text'}`;
  const headers = {
    'content-type': 'application/json',
    'x-api-key': key,
    ...(prefer ? { prefer } : {}),
  };
  return new Promise((resolve, reject) => {
    const request = http.request(
      { agent, port, host: '127.0.0.1', path, method: 'POST', headers },
      (response) => {
        response.resume();
        response.once('end', () => resolve(response.statusCode ?? 0));
      },
    );
    request.once('error', reject);
    request.end(JSON.stringify(message));
  });
}
