import type { ChildProcess } from 'node:child_process';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { type LogFile, openLogFile } from './log-file.ts';
import { isProblem, readLogLine } from './log-line.ts';
import { printFrom } from './print.ts';

/** Sends a process's output to its log file, and problems (or everything, if `verbose`) to the terminal. */
export class ProcessOutput {
  readonly #name: string;
  readonly #verbose: boolean;
  readonly #file: LogFile;
  #lastProblem: string | null = null;
  #outOfMemory = false;

  constructor(name: string, options: { logDir: string; verbose: boolean }) {
    this.#name = name;
    this.#verbose = options.verbose;
    this.#file = openLogFile(path.join(options.logDir, `${name}.log`));
  }

  read({ stdout, stderr }: ChildProcess): void {
    this.#lastProblem = null;
    this.#outOfMemory = false;
    if (stdout) createInterface(stdout).on('line', (line) => this.#take(line, 'info'));
    if (stderr) createInterface(stderr).on('line', (line) => this.#take(line, 'error'));
  }

  /** The last problem of the process since its start. */
  lastProblem(): string | null {
    return this.#lastProblem;
  }

  /** Whether V8 has reported that its heap is full, which ends the process. */
  outOfMemory(): boolean {
    return this.#outOfMemory;
  }

  close(): void {
    this.#file.close();
  }

  #take(line: string, plainLevel: 'info' | 'error'): void {
    if (line.trim() === '') return;
    const read = readLogLine(line, plainLevel);
    if (read.plain && /^FATAL ERROR: .* out of memory$/.test(line)) this.#outOfMemory = true;
    this.#file.write(read.json);
    if (!isProblem(read)) {
      if (this.#verbose) printFrom(this.#name, read.level, read.text);
      return;
    }
    // In a plain-text crash the line that names the error matters, not those around it.
    if (!read.plain || this.#lastProblem === null || /^\w*Error\b/.test(line)) this.#lastProblem = read.text;
    printFrom(this.#name, read.level, read.text);
  }
}
