import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import type { Answer } from '#server/cli/answer.ts';
import { nodePath } from '#server/platform/process/node.ts';
import { childEnvironment } from '#server/settings.ts';

const PROCESS = path.join(import.meta.dirname, 'cli-process.ts');

interface Resident {
  process: ChildProcess;
  /** Rejects when the process ends. */
  ended: Promise<never>;
}

/**
 * The command line with these settings, without a new process for each command, because loading it takes longer
 * than most commands. Simultaneous commands run in separate processes, as an operator's would.
 */
export class ResidentCli {
  readonly #env: NodeJS.ProcessEnv;
  readonly #idle: Resident[] = [];
  readonly #all: Resident[] = [];

  constructor(env: Record<string, string | undefined>) {
    this.#env = childEnvironment(env);
  }

  /** The command line's answer to these arguments. */
  async run(args: string[]): Promise<Answer> {
    const resident = this.#idle.pop() ?? (await this.#start());
    const answered = once(resident.process, 'message');
    resident.process.send(args);
    const [answer] = await Promise.race([answered, resident.ended]);
    this.#idle.push(resident);
    return answer as Answer;
  }

  /** Ends its processes, and returns when they have ended. */
  async end(): Promise<void> {
    this.#idle.length = 0;
    for (const { process } of this.#all) process.kill('SIGKILL');
    await Promise.all(this.#all.splice(0).map(({ ended }) => ended.catch(() => {})));
  }

  async #start(): Promise<Resident> {
    const process = fork(PROCESS, { execPath: nodePath, execArgv: [], env: this.#env });
    const ended = once(process, 'exit').then(([code, signal]) => {
      throw new Error(`the command line ended with ${code ?? signal}`);
    });
    ended.catch(() => {});
    const resident = { process, ended };
    this.#all.push(resident);
    await Promise.race([once(process, 'message'), ended]);
    return resident;
  }
}
