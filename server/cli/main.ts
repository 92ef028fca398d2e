import { enableCompileCache } from 'node:module';
import process from 'node:process';
import { compileCache } from '#server/process/node.ts';

/**
 * The operator's command line: prints one JSON value on stdout and nothing else; what goes wrong is one line on
 * stderr and exit code 1.
 */
enableCompileCache(compileCache);
try {
  // Imported here, so that a wrong setting, which is found while importing, is told in one line too.
  const { run } = await import('./run.ts');
  const value = await run(process.argv.slice(2));
  process.stdout.write(`${JSON.stringify(value, null, process.stdout.isTTY ? 2 : 0)}\n`);
} catch (error) {
  const message = error instanceof Error ? error.message : String(error);
  process.stderr.write(`${message.replace(/\s*\n\s*/g, ' ').trim()}\n`);
  process.exitCode = 1;
}
