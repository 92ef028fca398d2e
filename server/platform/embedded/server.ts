import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import fs from 'node:fs';
import net from 'node:net';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { endProcess } from '#server/platform/process/end.ts';
import { commandLine, type ProcessIdentity, processIdentity } from '#server/platform/process/identity.ts';
import { lock } from '#server/platform/process/lock.ts';
import type { ServerAccount } from './account.ts';
import { type Binaries, POSTGRES_ENVIRONMENT } from './binaries.ts';
import { dataArgument } from './cluster.ts';
import { complaints, diskFull, EmbeddedPostgresError, type Home, isDiskFull, readIfThere } from './home.ts';

export interface RunningServer {
  pid: number;
  identity: ProcessIdentity;
  port: number;
  ready: boolean;
}

const START_LIMIT_MS = 120_000; // replaying the log after a crash may take that long
const ORPHANS_LIMIT_MS = 10_000;
const FAST_STOP_LIMIT_MS = 2_000;
const IMMEDIATE_STOP_LIMIT_MS = 500;
const POLL_MS = 10;
const LOG_BYTES_MAX = 1024 * 1024;
const FIRST_PORT = 54329;

const SETTINGS: Record<string, string> = {
  listen_addresses: '127.0.0.1',
  unix_socket_directories: '',
  max_connections: '100',
  shared_buffers: '64MB',
  // There is no replication, so the write-ahead log can stay small.
  wal_level: 'minimal',
  max_wal_senders: '0',
  max_logical_replication_workers: '0',
  max_wal_size: '256MB',
  // Shared memory is in the cluster's directory, where a restart cleans up; a killed server would leave it in
  // /dev/shm.
  dynamic_shared_memory_type: 'mmap',
  // A client that is killed while its session waits for a lock must not keep its other locks.
  client_connection_check_interval: '2s',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // The log must not contain customers' data: no statements, no values of violated keys.
  log_min_error_statement: 'panic',
  log_error_verbosity: 'terse',
  log_checkpoints: 'off',
};

/** The server of this home; null if it does not run. A stale pid file or a reused pid does not count. */
export function runningServer(home: Home): RunningServer | null {
  const lines = readIfThere(path.join(home.data, 'postmaster.pid'))?.split('\n');
  const pid = Math.abs(Number(lines?.[0]));
  const port = Number(lines?.[3]);
  if (!lines || !pid) return null;
  const identity = processIdentity(pid);
  if (!identity) return null;
  const command = commandLine(pid);
  if (process.platform !== 'win32' && !command?.includes(nameOf(home))) return null;
  return { pid, identity, port, ready: lines[7]?.trim() === 'ready' && port > 0 };
}

/**
 * Only the server of this home has this on its command line. (Root in a container cannot read the working
 * directory of another account's process.)
 */
function nameOf(home: Home): string {
  const place = fs.realpathSync(home.root);
  return `cluster_name=wirebird-${createHash('sha256').update(place).digest('hex').slice(0, 12)}`;
}

/**
 * Starts the server and waits until it accepts connections, after a crash including recovery. The caller holds the
 * home's lock and has checked that no server runs. Throws {@link EmbeddedPostgresError} with the server's own message
 * if it does not start.
 *
 * @param wantedPort Used if free; otherwise another one, unless `insist`.
 */
export async function startServer(
  home: Home,
  binaries: Binaries,
  account: ServerAccount,
  { wantedPort, insist = false }: { wantedPort?: number | undefined; insist?: boolean } = {},
): Promise<RunningServer> {
  const began = performance.now();
  let port = wantedPort ?? (Number(readIfThere(home.port)) || FIRST_PORT);
  for (;;) {
    if (!insist) port = await freePort(port);
    // PostgreSQL refuses to start if any process now has the pid in a stale file.
    fs.rmSync(path.join(home.data, 'postmaster.pid'), { force: true });
    const outcome = await tryStart(home, binaries, account, port);
    if (typeof outcome !== 'string') {
      fs.writeFileSync(home.port, String(port), { mode: 0o600 });
      return outcome;
    }
    // Another process took the port first: choose again.
    if (!insist && /could not bind|could not create any TCP/.test(outcome)) continue;
    // After kill -9 of the server, its own children need a moment to notice.
    const orphans = /shared memory block .* is still in use/.test(outcome);
    if (orphans && performance.now() - began < ORPHANS_LIMIT_MS) {
      await delay(100);
      continue;
    }
    if (isDiskFull(outcome)) throw new EmbeddedPostgresError(diskFull(home.root));
    throw new EmbeddedPostgresError(
      `The embedded PostgreSQL does not start: ${outcome} (see ${home.log}). If ${home.data} is damaged, restore it from a copy made while Wirebird was stopped, or move DATA_DIR away and restore a backup with "cli restore".`,
    );
  }
}

async function tryStart(
  home: Home,
  binaries: Binaries,
  account: ServerAccount,
  port: number,
): Promise<RunningServer | string> {
  if ((fs.statSync(home.log, { throwIfNoEntry: false })?.size ?? 0) > LOG_BYTES_MAX) {
    fs.renameSync(home.log, `${home.log}.1`);
  }
  const log = fs.openSync(home.log, 'a', 0o600);
  const logStart = fs.fstatSync(log).size;
  const args = ['-D', dataArgument(home, account), '-p', String(port), '-c', nameOf(home)];
  for (const [name, value] of Object.entries(SETTINGS)) args.push('-c', `${name}=${value}`);
  let child: ChildProcess;
  try {
    // In its own session: Ctrl-C in the terminal must not reach it before its clients have finished.
    child = spawn(binaries.postgres, args, {
      ...account,
      cwd: home.data,
      env: POSTGRES_ENVIRONMENT,
      detached: true,
      stdio: ['ignore', log, log],
    });
  } finally {
    fs.closeSync(log);
  }
  child.unref();
  let ended: string | null = null;
  child.once('error', (error) => {
    ended = error.message;
  });
  child.once('exit', (code, signal) => {
    ended ??= `exit ${code ?? signal}`;
  });
  const until = performance.now() + START_LIMIT_MS;
  while (performance.now() < until) {
    if (ended !== null) {
      const words = wordsSince(home, logStart);
      return isDiskFull(words) ? words : complaints(words) || ended;
    }
    const server = runningServer(home);
    if (server?.ready && server.pid === child.pid) return server;
    await delay(POLL_MS);
  }
  child.kill('SIGQUIT');
  return `not ready after ${START_LIMIT_MS / 1000} seconds`;
}

const wordsSince = (home: Home, from: number): string =>
  fs.readFileSync(home.log).subarray(from).toString('utf8');

/** Waits for a server that is starting or ending. Null if it has ended. */
export async function settled(home: Home): Promise<RunningServer | null> {
  const until = performance.now() + START_LIMIT_MS;
  for (;;) {
    const server = runningServer(home);
    if (!server || server.ready) return server;
    if (performance.now() > until) {
      throw new EmbeddedPostgresError(
        `The embedded PostgreSQL (process ${server.pid}) is not ready after ${START_LIMIT_MS / 1000} seconds: see ${home.log}`,
      );
    }
    await delay(POLL_MS);
  }
}

/**
 * Runs `work` under the home's lock. A full disk takes no lock, so there nobody can start the server, and `work` runs without
 * one unless `needsLock`. Then it must start none: the disk may have room again meanwhile.
 */
export async function withLockIfRoom<T>(
  home: Home,
  work: (locked: boolean) => Promise<T>,
  { needsLock = () => false }: { needsLock?: () => boolean } = {},
): Promise<T> {
  const unlock = await lock(home.lock).catch((error: unknown) => {
    if (isDiskFull(error) && !needsLock()) return null;
    throw error;
  });
  try {
    return await work(unlock !== null);
  } finally {
    unlock?.();
  }
}

/**
 * Stops the server, if it runs: rolls open transactions back and flushes the write-ahead log. After 2 s the server
 * is ended at once, and the next start recovers. The caller holds the lock.
 */
export async function stopServer(home: Home): Promise<void> {
  const server = runningServer(home);
  if (!server) return;
  const orders: [NodeJS.Signals, number][] = [
    ['SIGINT', FAST_STOP_LIMIT_MS],
    ['SIGQUIT', IMMEDIATE_STOP_LIMIT_MS],
    ['SIGKILL', IMMEDIATE_STOP_LIMIT_MS],
  ];
  for (const [signal, limitMs] of orders) {
    if (await endProcess(server.identity, signal, limitMs)) return;
  }
}

async function freePort(wanted: number): Promise<number> {
  const tryPort = async (port: number) => {
    try {
      await using probe = net.createServer();
      await once(probe.listen(port, '127.0.0.1'), 'listening');
      return (probe.address() as net.AddressInfo).port;
    } catch {
      return null;
    }
  };
  const port = (await tryPort(wanted)) ?? (await tryPort(0));
  if (port === null) throw new EmbeddedPostgresError('There is no free port on 127.0.0.1 for the database.');
  return port;
}
