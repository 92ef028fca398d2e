import { type ChildProcess, fork } from 'node:child_process';
import path from 'node:path';
import type { CliAnswer, CliCall } from './cli-runner.ts';

/** What `npm run cli -- …` prints, from a process with this environment that is started by the first command. */
export class Cli {
  readonly #env: NodeJS.ProcessEnv;
  readonly #waiting = new Map<number, PromiseWithResolvers<unknown>>();
  #process: ChildProcess | undefined;
  #calls = 0;

  constructor(env: NodeJS.ProcessEnv) {
    this.#env = env;
  }

  /** Rejects with what the command line would print as its error. */
  run<T>(argv: string[]): Promise<T> {
    this.#process ??= this.#start();
    const call = this.#calls++;
    const waiting = Promise.withResolvers<unknown>();
    this.#waiting.set(call, waiting);
    this.#process.send({ call, argv } satisfies CliCall);
    return waiting.promise as Promise<T>;
  }

  stop(): void {
    this.#process?.disconnect();
    this.#process = undefined;
  }

  #start(): ChildProcess {
    const root = path.join(import.meta.dirname, '..');
    const started = fork(path.join(import.meta.dirname, 'cli-runner.ts'), {
      cwd: root,
      env: this.#env,
      execArgv: [],
    });
    started.on('message', (answer: CliAnswer) => {
      const waiting = this.#waiting.get(answer.call);
      this.#waiting.delete(answer.call);
      if ('value' in answer) waiting?.resolve(answer.value);
      else waiting?.reject(new Error(answer.error));
    });
    started.once('exit', (code) => {
      if (this.#process === started) this.#process = undefined;
      for (const { reject } of this.#waiting.values()) reject(new Error(`the CLI ended with ${code}`));
      this.#waiting.clear();
    });
    return started;
  }
}
