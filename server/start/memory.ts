import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { StartError } from './start-error.ts';

const MEGABYTE = 1024 * 1024;

/**
 * The measured memory of each way to start (652, 156, 328 and 53 MB, with the lightest browser if it runs one),
 * plus some room. With less, the system kills its processes repeatedly.
 */
const NEEDED_MEGABYTES = { all: 700, web: 200, worker: 400, sandbox: 100 } as const;

export type Started = keyof typeof NEEDED_MEGABYTES;

export interface MemoryLimit {
  bytes: number;
  /** Whose limit it is. */
  whose: string;
}

/**
 * Refuses to start with too little memory.
 *
 * @throws StartError that says how much there is, whose limit that is and how much is needed.
 */
export function requireMemory(started: Started, { bytes, whose }: MemoryLimit = memoryLimit()): void {
  const needed = NEEDED_MEGABYTES[started];
  if (bytes >= needed * MEGABYTE) return;
  throw new StartError(
    `Not enough memory: ${whose} is ${Math.floor(bytes / MEGABYTE)} MB. At least ${needed} MB is needed, plus 300 to 400 MB for each further number. Add memory or raise the limit.`,
  );
}

/** The memory for this process and its children: the machine's, or the limit of a cgroup. */
export function memoryLimit(root = '/'): MemoryLimit {
  const machine = { bytes: os.totalmem(), whose: 'the memory of this machine' };
  const limits = limitFiles(root).flatMap((file) => bytesIn(file));
  const bytes = Math.min(...limits, machine.bytes);
  return bytes < machine.bytes
    ? { bytes, whose: 'the memory limit of this container or service (cgroup)' }
    : machine;
}

/**
 * The files with the limits of our cgroup and its parents. Version 2 has one tree; version 1 has a separate tree
 * for memory.
 */
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

/** A number; `max` or a missing file means no limit. */
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
