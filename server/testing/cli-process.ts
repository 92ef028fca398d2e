import process from 'node:process';
import '#server/platform/process/fast-imports.ts';
import { answer } from '#server/cli/answer.ts';

/** The command line for tests that call it often: one process runs one command after another. */
process.on('message', async (argv: string[]) => {
  process.send?.(await answer(argv, 0));
});
process.send?.('ready');
