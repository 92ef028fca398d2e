import type { ChildProcess } from 'node:child_process';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { type LogFile, openLogFile } from './log-file.ts';
import { isProblem, readLogLine } from './log-line.ts';
import { sayFrom } from './say.ts';

/** What a part writes: all of it to its log file, the problems (or all, if `verbose`) to the terminal. */
export class ProcessOutput {
  readonly #name: string;
  readonly #verbose: boolean;
  readonly #file: LogFile;
  #lastProblem: string | null = null;

  constructor(name: string, options: { logDir: string; verbose: boolean }) {
    this.#name = name;
    this.#verbose = options.verbose;
    this.#file = openLogFile(path.join(options.logDir, `${name}.log`));
  }

  read({ stdout, stderr }: ChildProcess): void {
    this.#lastProblem = null;
    if (stdout) createInterface(stdout).on('line', (line) => this.#take(line, 'info'));
    if (stderr) createInterface(stderr).on('line', (line) => this.#take(line, 'error'));
  }

  /** The last thing it complained about in this run. */
  lastProblem(): string | null {
    return this.#lastProblem;
  }

  close(): void {
    this.#file.close();
  }

  #take(line: string, plainLevel: 'info' | 'error'): void {
    if (line.trim() === '') return;
    const read = readLogLine(line, plainLevel);
    this.#file.write(read.json);
    if (!isProblem(read)) {
      if (this.#verbose) sayFrom(this.#name, read.level, read.text);
      return;
    }
    // Of a crash in plain text the line that names the error tells most, not those around it.
    if (!read.plain || this.#lastProblem === null || /^\w*Error\b/.test(line)) this.#lastProblem = read.text;
    sayFrom(this.#name, read.level, read.text);
  }
}
