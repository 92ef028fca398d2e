import process from 'node:process';
import { answer } from '#server/cli/answer.ts';

/** The command line for tests that call it often: one process runs one command after another. */
process.on('message', async (argv: string[]) => {
  process.send?.(await answer(argv, 0));
});
process.send?.('ready');
