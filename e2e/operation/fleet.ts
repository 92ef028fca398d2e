import { randomBytes } from 'node:crypto';
import { mkdirSync, readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { openDatabase } from '#server/platform/db/client.ts';
import { ensurePostgres } from '#server/platform/embedded/postgres.ts';
import { ControlFile } from '#server/sandbox/control-file.ts';
import { childEnvironment } from '#server/settings.ts';
import { type WithSql, withSql } from '#server/testing/sql.ts';
import { lendBrowser } from '#worker/testing/engine-browser.ts';
import { Cli } from '../cli.ts';
import { Child } from '../faults/child.ts';
import { freePort } from '../stack.ts';
import { startProxy } from './proxy.ts';

const ROOT = path.join(import.meta.dirname, '../..');
const MAIN = path.join(ROOT, 'server/start/main.ts');

/** Two web and two worker processes on one database, as `start:web` and `start:worker` run them. */
export interface Fleet {
  /** The address of the proxy in front of the web processes. */
  url: string;
  webs: readonly [Child, Child];
  workers: readonly [Child, Child];
  database: WithSql;
  cli<T = Record<string, unknown>>(...args: string[]): Promise<T>;
  stop(): Promise<void>;
}

export async function startFleet(env: Record<string, string>): Promise<Fleet> {
  const cleanup = new AsyncDisposableStack();
  try {
    return await open(env, cleanup);
  } catch (error) {
    await cleanup.disposeAsync();
    throw error;
  }
}

async function open(given: Record<string, string>, cleanup: AsyncDisposableStack): Promise<Fleet> {
  const place = await mkdtemp(path.join(os.tmpdir(), 'wirebird-fleet-'));
  cleanup.defer(() => rm(place, { recursive: true, force: true }));
  const postgres = await ensurePostgres(path.join(place, 'postgres'), { port: 0 });
  cleanup.defer(() => postgres.release());
  const database = withSql(openDatabase(postgres.url, 2));
  cleanup.defer(() => database.close());
  const ports = [await freePort(), await freePort()];
  const proxy = await startProxy(ports);
  cleanup.defer(() => proxy.stop());
  const hex = () => randomBytes(32).toString('hex');
  const common = {
    WIREBIRD_ENV: 'local',
    NODE_ENV: 'production',
    LOG_LEVEL: 'info',
    SANDBOX: 'on',
    PUBLIC_URL: proxy.url,
    DATABASE_URL: postgres.url,
    AUTH_SECRET: hex(),
    KEY_PEPPER: hex(),
    DATA_KEY: hex(),
    SANDBOX_DIR: path.join(place, 'sandbox'),
    ...given,
  };
  const sandbox = new Child({
    entry: MAIN,
    args: ['--only', 'sandbox'],
    env: common,
    isReady: (pid) => isSandbox(path.join(place, 'sandbox'), pid),
  });
  await sandbox.start();
  cleanup.defer(() => sandbox.end('SIGTERM'));

  const part = (name: string, only: 'web' | 'worker', more: Record<string, string> = {}) => {
    const dataDir = path.join(place, name);
    mkdirSync(dataDir, { mode: 0o700 });
    const child = new Child({
      entry: MAIN,
      args: ['--only', only],
      env: { ...common, DATA_DIR: dataDir, ...more },
    });
    cleanup.defer(() => child.end('SIGTERM'));
    return child;
  };
  const webs = [
    part('web1', 'web', { PORT: String(ports[0]) }),
    part('web2', 'web', { PORT: String(ports[1]) }),
  ] as const;
  const workers = [part('worker1', 'worker'), part('worker2', 'worker')] as const;
  await Promise.all(['worker1', 'worker2'].map((name) => lendBrowser(path.join(place, name))));
  await Promise.all([...webs, ...workers].map((child) => child.start()));
  const cli = new Cli(childEnvironment({ ...common, DATA_DIR: path.join(place, 'cli') }));
  cleanup.defer(() => cli.stop());
  return {
    url: proxy.url,
    webs,
    workers,
    database,
    cli: (...args) => cli.run(args),
    stop: () => cleanup.disposeAsync(),
  };
}

function isSandbox(directory: string, pid: number): boolean {
  try {
    return (
      ControlFile.parse(JSON.parse(readFileSync(path.join(directory, 'control.json'), 'utf8'))).pid === pid
    );
  } catch {
    return false;
  }
}
