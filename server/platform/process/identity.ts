import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';

/**
 * Identifies a process even if its pid is reused: `<pid>-<start>`, with the start time as the system reports it
 * (clock ticks since boot on Linux, seconds of the epoch elsewhere).
 */
export type ProcessIdentity = `${number}-${string}`;

/**
 * The identity of a running process, or null. A zombie does not count as running: in a container whose first
 * process reaps none, it would stay forever.
 */
export function processIdentity(pid: number = process.pid): ProcessIdentity | null {
  const start = startOf(pid);
  return start === null ? null : `${pid}-${start}`;
}

/** Whether the process with this identity still runs. False for invalid text. */
export function isRunning(identity: string): boolean {
  const pid = pidOf(identity);
  return pid !== null && processIdentity(pid) === identity;
}

/** The pid of an identity; null for invalid text. */
export function pidOf(identity: string): number | null {
  const pid = Number(/^(\d+)-/.exec(identity)?.[1]);
  return Number.isInteger(pid) && pid > 0 ? pid : null;
}

/**
 * Identifies this boot of this machine and its PID namespace. Only there does a missing PID prove that a process
 * has ended.
 */
export function pidSpace(): string {
  if (process.platform !== 'linux') return os.hostname();
  const boot = fs.readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim();
  return `${boot} ${fs.readlinkSync('/proc/self/ns/pid')}`;
}

/** The command line of a process, its arguments separated by spaces; null if unknown. */
export function commandLine(pid: number): string | null {
  try {
    if (process.platform === 'linux') {
      return fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8').replaceAll('\0', ' ').trim() || null;
    }
    return process.platform === 'win32' ? null : askPs(pid, 'command=').trim() || null;
  } catch {
    return null;
  }
}

export function parentOf(pid: number): number | null {
  try {
    const text = process.platform === 'linux' ? statOf(pid)[1] : askPs(pid, 'ppid=');
    return Number(text) || null;
  } catch {
    return null;
  }
}

function startOf(pid: number): string | null {
  if (process.platform === 'linux') return startOnLinux(pid);
  if (!exists(pid)) return null;
  // Windows has no cheap way to ask, so a reused pid cannot be recognised there.
  if (process.platform === 'win32') return '0';
  try {
    const [, state, began] = /^(\S+)\s+(.+)$/.exec(askPs(pid, 'stat=,lstart=').trim()) ?? [];
    if (!state || !began || state.startsWith('Z')) return null;
    return String(Date.parse(began) / 1000);
  } catch {
    return null;
  }
}

function startOnLinux(pid: number): string | null {
  try {
    const fields = statOf(pid);
    const [state, start] = [fields[0], fields[19]];
    return !start || state === 'Z' || state === 'X' ? null : start;
  } catch {
    return null;
  }
}

/** The fields of `/proc/<pid>/stat`, from the state on. */
function statOf(pid: number): string[] {
  const stat = fs.readFileSync(`/proc/${pid}/stat`, 'utf8');
  // The second field is the command in brackets, which may contain spaces and brackets.
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

function askPs(pid: number, columns: string): string {
  return execFileSync('ps', ['-ww', '-o', columns, '-p', String(pid)], {
    encoding: 'utf8',
    env: { PATH: '/usr/bin:/bin', LC_ALL: 'C' } as Partial<NodeJS.ProcessEnv> as NodeJS.ProcessEnv,
    stdio: ['ignore', 'pipe', 'ignore'],
  });
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM';
  }
}
