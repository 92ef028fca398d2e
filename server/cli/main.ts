import process from 'node:process';
import '#server/platform/process/fast-imports.ts';

const UNPRINTED = 'The command has run, but its output could not be written. Is the disk of the output full?';

/**
 * The operator's command line: prints one JSON value on stdout, or lines where a command is for people. An error
 * is one line on stderr with exit code 1.
 */
const { answer } = await import('./answer.ts');
process.stdout.on('error', ({ code }: NodeJS.ErrnoException) => {
  process.exitCode = 1;
  // A reader that wanted only the beginning, such as `head`, is no problem.
  if (code !== 'EPIPE') process.stderr.write(`${UNPRINTED}\n`);
});
const { code, stdout, stderr } = await answer(process.argv.slice(2), process.stdout.isTTY ? 2 : 0);
process.stdout.write(stdout);
process.stderr.write(stderr);
// A command with an answer may still report a problem.
if (code !== 0) process.exitCode = code;
