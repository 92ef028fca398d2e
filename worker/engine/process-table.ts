import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import { readFile } from 'node:fs/promises';

export interface ProcessEntry {
  pid: number;
  parent: number;
  group: number;
  /** Its arguments, separated and surrounded by spaces. */
  command: string;
}

/**
 * All running processes of this machine, without zombies: they cannot be killed, and in a container whose first
 * process does not reap them they stay forever. Empty on Windows.
 */
export function processTable(): ProcessEntry[] {
  if (process.platform === 'win32') return [];
  return process.platform === 'linux' ? fromProc() : fromPs();
}

export function withDescendants(roots: ProcessEntry[], table: ProcessEntry[]): ProcessEntry[] {
  const children = Map.groupBy(table, (entry) => entry.parent);
  const found = new Map<number, ProcessEntry>();
  const waiting = [...roots];
  for (let entry = waiting.pop(); entry; entry = waiting.pop()) {
    if (found.has(entry.pid)) continue;
    found.set(entry.pid, entry);
    waiting.push(...(children.get(entry.pid) ?? []));
  }
  return [...found.values()];
}

/** The memory (PSS) of these processes in bytes; 0 if there is no /proc. */
export async function memoryOf(processes: readonly ProcessEntry[]): Promise<number> {
  let kilobytes = 0;
  for (const { pid } of processes) {
    const text = await readFile(`/proc/${pid}/smaps_rollup`, 'utf8').catch(() => '');
    kilobytes += Number(/^Pss:\s+(\d+) kB$/m.exec(text)?.[1] ?? 0);
  }
  return kilobytes * 1024;
}

function fromProc(): ProcessEntry[] {
  return fs.readdirSync('/proc').flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      const stat = fs.readFileSync(`/proc/${name}/stat`, 'utf8');
      // The second field is the command in brackets, and can contain spaces and brackets.
      const [state, parent, group] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
      if (state === 'Z' || state === 'X') return [];
      const command = ` ${fs.readFileSync(`/proc/${name}/cmdline`, 'utf8').replaceAll('\0', ' ')} `;
      return [{ pid: Number(name), parent: Number(parent), group: Number(group), command }];
    } catch {
      return []; // it has ended
    }
  });
}

function fromPs(): ProcessEntry[] {
  const lines = execFileSync('ps', ['-axww', '-o', 'pid=,ppid=,pgid=,stat=,command='], {
    encoding: 'utf8',
    maxBuffer: 64 * 1024 * 1024,
  });
  return lines.split('\n').flatMap((line) => {
    const [, pid, parent, group, state, command] =
      /^\s*(\d+)\s+(\d+)\s+(\d+)\s+(\S+)\s+(.*)$/.exec(line) ?? [];
    if (!pid || state?.startsWith('Z')) return [];
    return [{ pid: Number(pid), parent: Number(parent), group: Number(group), command: ` ${command} ` }];
  });
}
