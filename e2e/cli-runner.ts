import process from 'node:process';
import { run } from '#server/cli/run.ts';

/**
 * The operator's commands in one process for all of a stack's life: starting one for each command would cost more
 * than what the commands do. That the command line is a process is `server/cli/cli.integration.test.ts`'s matter.
 */
export interface CliCall {
  call: number;
  argv: string[];
}
export type CliAnswer = { call: number } & ({ value: unknown } | { error: string });

// One after the other: a command opens the database for itself and closes it.
let last: Promise<unknown> = Promise.resolve();
process.on('message', ({ call, argv }: CliCall) => {
  const answer = (told: CliAnswer) => process.send?.(told);
  last = last
    .then(() => run(argv))
    .then(
      (value) => answer({ call, value }),
      (error: unknown) => answer({ call, error: error instanceof Error ? error.message : String(error) }),
    );
});
process.once('disconnect', () => process.exit());
