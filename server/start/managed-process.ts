import { type ChildProcess, spawn } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { endProcess } from '#server/platform/process/end.ts';
import { processIdentity } from '#server/platform/process/identity.ts';
import { nodePath } from '#server/platform/process/node.ts';
import { ProcessOutput } from './process-output.ts';
import { StartError } from './start-error.ts';

/** A process of the product that the supervisor starts, watches and stops. */
export interface ProcessPlan {
  name: string;
  /** The file that Node runs. */
  entry: string;
  args?: string[];
  /**
   * Limit of V8's semi-space for young objects, in MB. By default it grows to 64 MB while modules load and does
   * not shrink.
   */
  youngMegabytes: number;
  env: NodeJS.ProcessEnv;
}

export interface ProcessOptions {
  /** The directory for the file with the identity of the running process, which a later start reads. */
  runDir: string;
  logDir: string;
  /** Shows every line of its log, not only problems. */
  verbose: boolean;
  onStarted?: (pid: number) => void;
  /** Called if the process ended unexpectedly, or did not stop in time. */
  onTrouble: (what: string) => void;
}

/** Preloaded into every process that must end with its parent, which it notices over the IPC channel. */
export const PARENT_WATCH = `${pathToFileURL(path.join(import.meta.dirname, 'parent-watch.ts')).href}?parent=${process.pid}`;
const READY_LIMIT_MS = 90_000;
const LAST_OUTPUT_MS = 200;
const KILL_LIMIT_MS = 2_000;
const PAUSE_MS_MIN = 500;
const PAUSE_MS_MAX = 30_000;
/** A process that ran this long was healthy: its next crash counts as the first. */
const HEALTHY_MS = 30_000;

/** The supervisor never kills a process that is still needed, so a SIGKILL came from elsewhere. */
const endedBy = (signal: NodeJS.Signals) =>
  signal === 'SIGKILL'
    ? 'it was killed by SIGKILL, probably because memory ran out'
    : `it was stopped by ${signal}`;

const OUT_OF_MEMORY =
  'it ran out of memory (JavaScript heap out of memory). Add memory, or raise its limit with NODE_OPTIONS=--max-old-space-size=MEGABYTES';

interface Run {
  child: ChildProcess;
  identity: string;
  /** How it ended; its last output has been read by then. */
  ended: Promise<string>;
}

/** A process that {@link ManagedProcess.start} starts. It restarts whenever it ends, until it is stopped. */
export class ManagedProcess {
  readonly #plan: ProcessPlan;
  readonly #options: ProcessOptions;
  readonly #output: ProcessOutput;
  readonly #stopping = new AbortController();
  #run: Run | null = null;
  #pauseMs = PAUSE_MS_MIN;
  #restarting = false;

  constructor(plan: ProcessPlan, options: ProcessOptions) {
    this.#plan = plan;
    this.#options = options;
    this.#output = new ProcessOutput(plan.name, options);
  }

  /**
   * Starts the process and waits until it is ready; false if it was stopped before.
   *
   * @throws StartError with its last problem if it ends first, or is not ready in time.
   */
  async start(): Promise<boolean> {
    if (this.#stopping.signal.aborted) return false;
    const run = this.#spawn();
    const failure = await Promise.race([
      messageOf(run, 'ready'),
      run.ended,
      delay(READY_LIMIT_MS, `it was not ready within ${READY_LIMIT_MS / 1000} seconds`, { ref: false }),
    ]);
    if (this.#stopping.signal.aborted) return false;
    if (failure !== undefined) {
      throw new StartError(`${this.#plan.name} failed to start: ${this.#output.lastProblem() ?? failure}`);
    }
    void this.#keep(run);
    return true;
  }

  /** Waits for a message of the running process; false if the process ends, or does not send it in time. */
  async waitForMessage(wanted: string, limitMs: number): Promise<boolean> {
    const run = this.#run;
    if (!run?.child.connected) return false;
    const received = messageOf(run, wanted).then(() => true);
    return Promise.race([received, run.ended.then(() => false), delay(limitMs, false, { ref: false })]);
  }

  /** Asks the process to stop and waits; kills it if it has not stopped within `limitMs`. */
  async stop(limitMs: number): Promise<void> {
    this.#stopping.abort();
    const identity = this.#run?.identity ?? '';
    if (!(await endProcess(identity, 'SIGTERM', limitMs))) {
      this.#options.onTrouble(`did not stop within ${limitMs / 1000} s and was killed`);
      await endProcess(identity, 'SIGKILL', KILL_LIMIT_MS);
    }
    await this.#run?.ended;
    fs.rmSync(this.#runFile, { force: true });
    this.#output.close();
  }

  /** Kills the process, so that a waiting {@link ManagedProcess.stop} returns. */
  kill(): void {
    this.#run?.child.kill('SIGKILL');
  }

  /** Restarts the process, because its code has changed. */
  restart(): void {
    this.#restarting = true;
    this.#run?.child.kill('SIGTERM');
  }

  /** The file with the identity of the running process, which a later start reads. */
  get #runFile(): string {
    return path.join(this.#options.runDir, this.#plan.name);
  }

  /** A full disk does not keep a process from running: the files only help after a crash of the supervisor. */
  #note(pid: number, identity: string): void {
    const writes = [
      () => fs.writeFileSync(this.#runFile, identity, { mode: 0o600 }),
      () => this.#options.onStarted?.(pid),
    ];
    for (const write of writes)
      try {
        write();
      } catch (error) {
        this.#options.onTrouble(
          `runs, but a file about it could not be written: ${(error as Error).message}`,
        );
      }
  }

  async #keep(first: Run): Promise<void> {
    const { signal } = this.#stopping;
    let run = first;
    let began = performance.now();
    for (;;) {
      const how = await run.ended;
      if (signal.aborted) return;
      if (!this.#restarting) await this.#pause(how, performance.now() - began);
      if (signal.aborted) return;
      this.#restarting = false;
      began = performance.now();
      run = this.#spawn();
    }
  }

  /** Waits before a crashed process is restarted: longer each time it crashes soon after its start. */
  async #pause(how: string, ranMs: number): Promise<void> {
    if (ranMs > HEALTHY_MS) this.#pauseMs = PAUSE_MS_MIN;
    this.#options.onTrouble(`${how}; restarting in ${this.#pauseMs / 1000} s`);
    await delay(this.#pauseMs, undefined, { signal: this.#stopping.signal }).catch(() => {});
    this.#pauseMs = Math.min(this.#pauseMs * 2, PAUSE_MS_MAX);
  }

  #spawn(): Run {
    const { entry, args = [], youngMegabytes, env } = this.#plan;
    const flags = [`--max-semi-space-size=${youngMegabytes}`, '--import', PARENT_WATCH];
    const child = spawn(nodePath, [...flags, entry, ...args], {
      env,
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      // Ctrl-C in the terminal reaches the supervisor alone, which stops the processes in order.
      detached: process.platform !== 'win32',
    });
    this.#output.read(child);
    const exited = new Promise<string>((resolve) => {
      child.once('error', (error) => resolve(error.message));
      child.once('exit', (code, signal) => resolve(signal ? endedBy(signal) : `it exited with code ${code}`));
    });
    const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));
    // A child of the process can keep the output open, so the wait is short.
    const lastOutput = () => Promise.race([closed, delay(LAST_OUTPUT_MS, undefined, { ref: false })]);
    const ended = exited.then(async (how) => {
      await lastOutput();
      return this.#output.outOfMemory() ? OUT_OF_MEMORY : how;
    });
    const identity = child.pid === undefined ? '' : (processIdentity(child.pid) ?? '');
    if (child.pid !== undefined) this.#note(child.pid, identity);
    this.#run = { child, identity, ended };
    return this.#run;
  }
}

/** Resolves when the process sends this message. */
function messageOf({ child }: Run, wanted: string): Promise<void> {
  return new Promise((resolve) => {
    child.on('message', (message) => message === wanted && resolve());
  });
}
