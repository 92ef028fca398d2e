import { spawn } from 'node:child_process';
import fs from 'node:fs';
import { fileURLToPath } from 'node:url';
import { endProcess } from '#server/platform/process/end.ts';
import { isRunning, processIdentity } from '#server/platform/process/identity.ts';
import { compileCache, nodePath } from '#server/platform/process/node.ts';
import { serverAccount } from './account.ts';
import { findBinaries, POSTGRES_ENVIRONMENT } from './binaries.ts';
import { countClients, forgetDeadClients, registerClient, registerOther } from './clients.ts';
import { databaseUrl, ensureCluster, isNewCluster } from './cluster.ts';
import { diskFull, EmbeddedPostgresError, type Home, homeAt, isDiskFull, readIfThere } from './home.ts';
import { runningServer, settled, startServer, stopServer, withLockIfRoom } from './server.ts';

export { EmbeddedPostgresError } from './home.ts';

export interface EmbeddedPostgres {
  /** `postgres://user:password@127.0.0.1:port/database`; valid while a process uses the server. */
  url: string;
  /** The server's process at the time of the call; a server that was killed restarts with another one. */
  pid: number;
  /** Whether this call started the server; false if it joined a running one. */
  started: boolean;
  /** Registers another process as a user until it ends, so that it can finish its work if this one is killed. */
  share(pid: number): void;
  /** Releases the server. The last process to do so stops it, and returns when it has ended. */
  release(): Promise<void>;
}

const KEEPER = fileURLToPath(new URL('./keeper.ts', import.meta.url));
const KEEPER_STOP_LIMIT_MS = 2_000;

/**
 * A PostgreSQL server for a machine without one, with its data below `dir`. Several processes can share it; it runs
 * until the last of them has released it or ended. Throws {@link EmbeddedPostgresError} with one line that says what to
 * do.
 *
 * @param options.port The wanted port on 127.0.0.1 (0: any free one); if busy, another is taken. Default: the port of
 * the last start.
 * @param options.earlier Files that only an earlier installation leaves: if one exists, a missing database is not
 * created.
 */
export async function ensurePostgres(
  dir: string,
  options: { port?: number; earlier?: string[] } = {},
): Promise<EmbeddedPostgres> {
  const home = homeAt(dir);
  try {
    fs.mkdirSync(home.clients, { recursive: true, mode: 0o700 });
    const needsLock = () => !isShared(home);
    return await withLockIfRoom(home, (locked) => join(home, { ...options, locked }), { needsLock });
  } catch (error) {
    if (error instanceof EmbeddedPostgresError) throw error;
    if (isDiskFull(error)) throw new EmbeddedPostgresError(diskFull(home.root), { cause: error });
    throw new EmbeddedPostgresError(
      `The embedded PostgreSQL in ${home.root} cannot be used: ${(error as Error).message}`,
      { cause: error },
    );
  }
}

/** Whether {@link ensurePostgres} would create a database in `dir`. Throws {@link EmbeddedPostgresError} as it would. */
export const isNew = (dir: string, earlier: string[]): boolean => isNewCluster(homeAt(dir), earlier);

/** Whether the server runs and other processes keep it, so that joining them writes nothing. */
const isShared = (home: Home): boolean => runningServer(home)?.ready === true && countClients(home) > 0;

async function join(
  home: Home,
  { port: wantedPort, earlier = [], locked }: { port?: number; earlier?: string[]; locked: boolean },
): Promise<EmbeddedPostgres> {
  const account = serverAccount(home);
  const binaries = findBinaries(home, account);
  await ensureCluster(home, binaries, account, earlier);
  forgetDeadClients(home);
  const unregister = registerClient(home);
  try {
    const found = await settled(home);
    if (!found && !locked) throw new EmbeddedPostgresError(diskFull(home.root));
    const server = found ?? (await startServer(home, binaries, account, { wantedPort }));
    ensureKeeper(home, server.identity);
    return {
      url: databaseUrl(home, server.port),
      pid: server.pid,
      started: !found,
      share: (pid) => registerOther(home, pid),
      release: once(() => release(home, unregister)),
    };
  } catch (error) {
    unregister();
    if (countClients(home) === 0) await stopServer(home);
    throw error;
  }
}

function ensureKeeper(home: Home, server: string): void {
  if (isRunning(readIfThere(home.keeper) ?? '')) return;
  const log = fs.openSync(home.log, 'a', 0o600);
  try {
    const child = spawn(nodePath, ['--max-semi-space-size=1', KEEPER, home.root, server], {
      cwd: '/',
      detached: true,
      stdio: ['ignore', log, log],
      env: POSTGRES_ENVIRONMENT && { ...POSTGRES_ENVIRONMENT, NODE_COMPILE_CACHE: compileCache },
    });
    child.unref();
    const identity = child.pid === undefined ? null : processIdentity(child.pid);
    if (!identity)
      throw new EmbeddedPostgresError(`The keeper of ${home.root} does not start: see ${home.log}`);
    fs.writeFileSync(home.keeper, identity, { mode: 0o600 });
  } finally {
    fs.closeSync(log);
  }
}

async function release(home: Home, unregister: () => void): Promise<void> {
  if (!fs.existsSync(home.root)) return; // deleted during use; its keeper handles the server
  await withLockIfRoom(home, async () => {
    unregister();
    if (countClients(home) > 0) return;
    forgetDeadClients(home);
    await stopServer(home);
    const keeper = readIfThere(home.keeper) ?? '';
    // The keeper changes nothing without the lock, which this process holds, so it leaves nothing incomplete.
    await endProcess(keeper, 'SIGKILL', KEEPER_STOP_LIMIT_MS);
    fs.rmSync(home.keeper, { force: true });
  });
}

function once(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined;
  return () => {
    running ??= work();
    return running;
  };
}
