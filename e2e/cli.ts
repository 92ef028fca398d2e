import { printedValue } from '#server/testing/cli.ts';
import { ResidentCli } from '#server/testing/cli-resident.ts';

/** The output of `npm run cli -- …`, from processes with this environment that the first command starts. */
export class Cli {
  readonly #resident: ResidentCli;

  constructor(env: NodeJS.ProcessEnv) {
    this.#resident = new ResidentCli(env);
  }

  /** Rejects with the error that the command line would print. */
  async run<T>(argv: string[]): Promise<T> {
    return printedValue<T>(await this.#resident.run(argv));
  }

  stop(): void {
    void this.#resident.end();
  }
}
