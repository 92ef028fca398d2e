import { type ChildProcess, spawn } from 'node:child_process';
import { nodePath } from '#server/platform/process/node.ts';
import { childEnvironment } from '#server/settings.ts';
import { PARENT_WATCH } from '#server/start/managed-process.ts';

const READY_WITHIN_MS = 180_000;
const OUTPUT_CHARS_MAX = 20_000;
const SHIFT_CLOCK = new URL('./shift-clock.ts', import.meta.url).href;

export interface ChildPlan {
  entry: string;
  args?: string[];
  env: Record<string, string>;
  /** Polled until true, for a process that does not print `ready`. */
  isReady?: (pid: number) => boolean;
}

/** A process as rows use it: passes may share it. */
export type Running = Pick<Child, keyof Child>;

/** A process of the product that a test kills and starts again. */
export class Child {
  readonly #plan: ChildPlan;
  #child: ChildProcess | null = null;
  #exited: Promise<void> = Promise.resolve();
  #output = '';

  constructor(plan: ChildPlan) {
    this.#plan = plan;
  }

  /** The end of its output, across all its starts. */
  get output(): string {
    return this.#output;
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  get running(): boolean {
    return this.#child !== null && this.#child.exitCode === null && this.#child.signalCode === null;
  }

  /**
   * Starts it and waits until it is ready. `fileBytesMax`: the longest file that it and its children can write.
   */
  async start(options: { fileBytesMax?: number } = {}): Promise<void> {
    const { entry, env, args: own = [] } = this.#plan;
    const args = ['--import', PARENT_WATCH, '--import', SHIFT_CLOCK, entry, ...own];
    const limited = options.fileBytesMax === undefined ? null : Math.ceil(options.fileBytesMax / 512);
    // POSIX counts in blocks of 512 bytes, bash in blocks of 1024; this is `sh -c`, dash or another.
    const command = limited === null ? nodePath : 'sh';
    const commandArgs =
      limited === null ? args : ['-c', `ulimit -f ${limited}; exec "$0" "$@"`, nodePath, ...args];
    const child = spawn(command, commandArgs, {
      env: childEnvironment(env),
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
      detached: true,
    });
    this.#child = child;
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk) => {
        this.#output = (this.#output + chunk).slice(-OUTPUT_CHARS_MAX);
      });
    this.#exited = new Promise((resolve) => child.once('exit', () => resolve()));
    await this.#ready(child);
  }

  /** Sends a signal and waits until the process is gone. */
  async end(signal: NodeJS.Signals): Promise<void> {
    this.#child?.kill(signal);
    await this.#exited;
  }

  /** Sends a signal that does not end the process. */
  async signal(signal: NodeJS.Signals): Promise<void> {
    this.#child?.kill(signal);
  }

  /** Moves its wall clock, in ms from the true one. */
  shiftClock(ms: number): void {
    this.#child?.send({ shiftClockMs: ms });
  }

  async #ready(child: ChildProcess): Promise<void> {
    const { isReady, entry } = this.#plan;
    const said = new Promise<true>((resolve) => {
      child.on('message', (message) => message === 'ready' && resolve(true));
    });
    const until = performance.now() + READY_WITHIN_MS;
    while (performance.now() < until) {
      if (isReady && child.pid !== undefined && isReady(child.pid)) return;
      const over = await Promise.race([
        said,
        this.#exited.then(() => false),
        new Promise<null>((resolve) => setTimeout(resolve, 25, null)),
      ]);
      if (over === true && !isReady) return;
      if (over === false) throw new Error(`${entry} ended while it was started:\n${this.#output}`);
    }
    throw new Error(`${entry} is not ready:\n${this.#output}`);
  }
}
