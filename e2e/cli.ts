import { printedValue } from '#server/testing/cli.ts';
import { ResidentCli } from '#server/testing/cli-resident.ts';

/** What `npm run cli -- …` prints, from processes with this environment that are started by the first command. */
export class Cli {
  readonly #resident: ResidentCli;

  constructor(env: NodeJS.ProcessEnv) {
    this.#resident = new ResidentCli(env);
  }

  /** Rejects with what the command line would print as its error. */
  async run<T>(argv: string[]): Promise<T> {
    return printedValue<T>(await this.#resident.run(argv));
  }

  stop(): void {
    void this.#resident.end();
  }
}
