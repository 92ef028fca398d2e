import { runCli } from '#server/testing/cli.ts';
import type { Stage } from './stage.ts';

/** Where the operator's page keeps backups and data; here they lie in other folders. */
const BACKUPS = '/var/backups/wirebird';
const DATA = '/var/lib/wirebird/data';
/** What the shell would put in. */
const DATE = '$(date +%F-%H%M)';
const CODE_STEP = /^(cd|git|npm|install) /;

/** A machine of the story: its data, and the port of its product. */
export interface Machine {
  dataDir: string;
  port: number;
}

/** Types blocks of docs/operations.md line by line, as its reader does, and prints what a terminal shows. */
export class Terminal {
  readonly #stage: Stage;
  readonly #backups: string;
  /** Where the commands run. */
  machine: Machine;

  constructor(stage: Stage, backups: string, machine: Machine) {
    this.#stage = stage;
    this.#backups = backups;
    this.machine = machine;
  }

  /** `names`: what the reader types instead of the page's example names. Records the block as one file. */
  async type(block: string, names: Record<string, string> = {}): Promise<void> {
    const now = new Date().toISOString();
    let text = block;
    for (const [example, name] of Object.entries({
      ...names,
      [DATE]: `${now.slice(0, 10)}-${now.slice(11, 16).replace(':', '')}`,
    }))
      text = text.replaceAll(example, name);
    const shown: string[] = [];
    for (const line of text.split('\n').filter((one) => one.trim() !== '')) {
      shown.push(line.startsWith('#') ? line : `$ ${line}`);
      if (line.startsWith('#')) continue;
      for (const command of line.replace(/ +#.*$/, '').split(' && '))
        shown.push(...(await this.#run(command)));
    }
    this.#stage.notes.says('terminal', shown.join('\n'));
  }

  async #run(command: string): Promise<string[]> {
    const [program = '', ...args] = command.trim().split(/\s+/);
    if (program === 'cli') return this.#cli(args);
    if (/^systemctl (stop|disable --now)/.test(command)) {
      await this.#stage.end();
      return [];
    }
    if (command.startsWith('systemctl start')) {
      const from = performance.now();
      const failed = await this.#stage.start(this.machine).then(
        () => null,
        (error: Error) => this.#shown(error.message).split('\n').slice(1),
      );
      return failed ?? [`(ready after ${Math.round((performance.now() - from) / 1000)} s)`];
    }
    if (CODE_STEP.test(command)) return []; // the same version is started again
    throw new Error(`the terminal cannot run: ${command}`);
  }

  #shown(text: string): string {
    // The new machine's data lies in the folder of the backups.
    return text.replaceAll(this.machine.dataDir, DATA).replaceAll(this.#backups, BACKUPS);
  }

  async #cli(args: readonly string[]): Promise<string[]> {
    const { dataDir, port } = this.machine;
    const env = { DATA_DIR: dataDir, PORT: String(port), WIREBIRD_ENV: 'local', ...this.#stage.env };
    const { code, stdout, stderr } = await runCli(
      args.map((one) => one.replace(BACKUPS, this.#backups)),
      env,
    );
    const lines = [asOnTerminal(stdout), stderr].map((one) => this.#shown(one.trimEnd()));
    return [...lines.filter((one) => one !== ''), ...(code === 0 ? [] : [`(exit code ${code})`])];
  }
}

/** On a terminal, JSON is indented. */
function asOnTerminal(stdout: string): string {
  try {
    return JSON.stringify(JSON.parse(stdout), null, 2);
  } catch {
    return stdout;
  }
}
