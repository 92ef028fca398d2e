import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { StartError } from './start-error.ts';

const MEGABYTE = 1024 * 1024;

/**
 * What each way to start was measured to take, with the lightest browser where it runs one, and some room: 652, 156,
 * 328 and 53 MB. With less, the system kills its processes again and again.
 */
const NEEDED_MEGABYTES = { all: 700, web: 200, worker: 400, sandbox: 100 } as const;

export type Started = keyof typeof NEEDED_MEGABYTES;

export interface MemoryLimit {
  bytes: number;
  /** Whose it is, in words. */
  whose: string;
}

/**
 * Refuses to start with less memory than would be killed for.
 *
 * @throws StartError that says how much there is, whose limit that is and how much is needed.
 */
export function requireMemory(started: Started, { bytes, whose }: MemoryLimit = memoryLimit()): void {
  const needed = NEEDED_MEGABYTES[started];
  if (bytes >= needed * MEGABYTE) return;
  throw new StartError(
    `${whose} is ${Math.floor(bytes / MEGABYTE)} MB, and at least ${needed} MB are needed, with 300 to 400 MB more for each further number: raise it.`,
  );
}

/** The memory that this process and its children may have: the machine's, or less where a cgroup limits them. */
export function memoryLimit(root = '/'): MemoryLimit {
  const machine = { bytes: os.totalmem(), whose: 'The memory of this machine' };
  const limits = limitFiles(root).flatMap((file) => bytesIn(file));
  const bytes = Math.min(...limits, machine.bytes);
  return bytes < machine.bytes
    ? { bytes, whose: 'The memory limit of this container or service (cgroup)' }
    : machine;
}

/** Of our cgroup and all above it; the second version of cgroups has one tree, the first one of its own for memory. */
function limitFiles(root: string): string[] {
  const ours = lines(path.join(root, 'proc/self/cgroup'));
  return ours.flatMap((line) => {
    const [, controllers, group] = /^\d+:([^:]*):(.+)$/.exec(line) ?? [];
    if (group === undefined) return [];
    if (controllers === '') return upwards(path.join(root, 'sys/fs/cgroup'), group, 'memory.max');
    if (!controllers?.split(',').includes('memory')) return [];
    return upwards(path.join(root, 'sys/fs/cgroup/memory'), group, 'memory.limit_in_bytes');
  });
}

function upwards(mount: string, group: string, name: string): string[] {
  const names = group.split('/').filter((part) => part !== '' && part !== '..');
  return Array.from({ length: names.length + 1 }, (_, depth) =>
    path.join(mount, ...names.slice(0, depth), name),
  );
}

/** One number; `max`, or a file that is not there, is no limit. */
const bytesIn = (file: string): number[] =>
  lines(file)
    .filter((line) => /^\d+$/.test(line))
    .map(Number);

function lines(file: string): string[] {
  try {
    return fs.readFileSync(file, 'utf8').trim().split('\n');
  } catch {
    return [];
  }
}
