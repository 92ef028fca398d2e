/**
 * The embedded server's keeper: `node keeper.ts <home> <identity of the server>`. It stops the server after the
 * last of its users has ended, even if all were killed at once, and restarts a killed server on its port.
 */
import fs from 'node:fs';
import { flushCompileCache } from 'node:module';
import { setTimeout as delay } from 'node:timers/promises';
import { endProcess } from '#server/platform/process/end.ts';
import { processIdentity } from '#server/platform/process/identity.ts';
import { withLock } from '#server/platform/process/lock.ts';
import { serverAccount } from './account.ts';
import { findBinaries } from './binaries.ts';
import { countClients, forgetDeadClients } from './clients.ts';
import { type Home, homeAt, readIfThere } from './home.ts';
import { runningServer, startServer, stopServer, withLockIfRoom } from './server.ts';

const LOOK_MS = 500;
const PAUSE_MS_MAX = 30_000;
const ABANDONED_STOP_LIMIT_MS = 5_000;

const [place, server] = process.argv.slice(2);
if (!place || !server) throw new Error('keeper.ts needs the directory and the identity of the server');
const home = homeAt(place);
let lastSeen = server;

// The keeper ends after its clients. A service manager that signals every process of the product at once must not
// take the database from those that are still finishing.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});

// The keeper usually ends by SIGKILL, which leaves Node no time to write its compile cache.
flushCompileCache();

let pauseMs = LOOK_MS;
for (;;) {
  await delay(pauseMs);
  try {
    if (!(await look(home))) break;
    pauseMs = LOOK_MS;
  } catch (error) {
    console.error(`${new Date().toISOString()} keeper: ${(error as Error).message}`);
    pauseMs = Math.min(pauseMs * 2, PAUSE_MS_MAX);
  }
}

/** Checks the server once. False if it is no longer needed. */
async function look(home: Home): Promise<boolean> {
  const running = runningServer(home);
  if (readIfThere(home.keeper) !== processIdentity()) {
    // The whole directory was deleted (and perhaps created again) while the server ran.
    if (lastSeen !== running?.identity) await endProcess(lastSeen, 'SIGQUIT', ABANDONED_STOP_LIMIT_MS);
    return false;
  }
  lastSeen = running?.identity ?? lastSeen;
  if (running && countClients(home) > 0) return true;
  if (countClients(home) === 0) return withLockIfRoom(home, () => stopUnused(home));
  return withLock(home.lock, () => startAgain(home));
}

async function stopUnused(home: Home): Promise<boolean> {
  forgetDeadClients(home);
  if (countClients(home) > 0) return true;
  await stopServer(home);
  fs.rmSync(home.keeper, { force: true });
  return false;
}

async function startAgain(home: Home): Promise<boolean> {
  forgetDeadClients(home);
  if (countClients(home) === 0 || runningServer(home)) return true;
  const account = serverAccount(home);
  // Clients use a fixed address, so the port must not change.
  const started = await startServer(home, findBinaries(home, account), account, { insist: true });
  lastSeen = started.identity;
  return true;
}
