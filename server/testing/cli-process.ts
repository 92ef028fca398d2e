import process from 'node:process';
import { answer } from '#server/cli/answer.ts';

/** The command line for tests that call it often: a process that stays, and takes one command after the other. */
process.on('message', async (argv: string[]) => {
  process.send?.(await answer(argv, 0));
});
process.send?.('ready');
