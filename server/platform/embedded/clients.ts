import fs from 'node:fs';
import path from 'node:path';
import { isRunning, processIdentity } from '#server/platform/process/identity.ts';
import type { Home } from './home.ts';

let handles = 0;

/**
 * Registers this process as a user of the server; each call adds an entry. The caller holds the home's lock.
 *
 * @returns a function that removes the entry.
 */
export function registerClient(home: Home): () => void {
  handles += 1;
  const file = path.join(home.clients, `${processIdentity()}.${handles}`);
  fs.writeFileSync(file, '', { mode: 0o600 });
  return () => fs.rmSync(file, { force: true });
}

/**
 * Registers another process as a user until it ends. Needs no lock: the caller is registered too, so the count
 * cannot reach zero meanwhile.
 */
export function registerOther(home: Home, pid: number): void {
  const identity = processIdentity(pid);
  if (identity) fs.writeFileSync(path.join(home.clients, `${identity}.0`), '', { mode: 0o600 });
}

/** How many living registrations there are. Those of crashed processes do not count. */
export function countClients(home: Home): number {
  return entries(home).filter(isAlive).length;
}

/** Deletes the entries of ended processes. The caller holds the home's lock. */
export function forgetDeadClients(home: Home): void {
  for (const name of entries(home)) {
    if (!isAlive(name)) fs.rmSync(path.join(home.clients, name), { force: true });
  }
}

const isAlive = (name: string): boolean => isRunning(name.replace(/\.\d+$/, ''));

function entries(home: Home): string[] {
  try {
    return fs.readdirSync(home.clients);
  } catch (error) {
    // The data directory was deleted while the server ran, so it has no users.
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return [];
    throw error;
  }
}
