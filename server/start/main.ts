/**
 * `npm start`, `npm run dev` (`--dev`), `npm run demo` (`--demo`): starts the product and runs until it stops.
 * `npm run build` (`--build`): only builds. `npm run start:web`, `npm run start:worker` (`--only web|worker`): one
 * process of an installation that has several; `npm run start:sandbox`: their simulated network.
 */
import { parseArgs } from 'node:util';
import '#server/platform/process/fast-imports.ts';
import { firstError } from '#server/platform/first-error.ts';
import { printProblem } from './print.ts';

const flag = { type: 'boolean', default: false } as const;

/** What the operator reads: an error that they can correct, or where the details of another one are. */
async function explain(thrown: unknown): Promise<string> {
  const error = firstError(thrown);
  if (!(error instanceof Error)) return String(error);
  const foreseen =
    ['StartError', 'SettingsError'].includes(error.constructor.name) ||
    ('code' in error && String(error.code).startsWith('ERR_PARSE_ARGS'));
  if (foreseen) return error.message;
  try {
    const { explainStart } = await import('./explain-start.ts');
    return explainStart(error, { separate: process.argv.includes('--only') });
  } catch {
    // Without settings, or without a place for the log, the stack is all there is.
    return error.stack ?? error.message;
  }
}

try {
  const { values } = parseArgs({
    options: { dev: flag, demo: flag, build: flag, only: { type: 'string' } },
  });
  // Wrong settings throw while their module loads, so it loads inside this `try`, which reports them.
  if (values.only !== undefined) {
    const { runProcess } = await import('./run-process.ts');
    await runProcess(values.only);
  } else {
    const { buildOnly, start } = await import('./start.ts');
    if (values.build) await buildOnly();
    else await start({ dev: values.dev, demo: values.demo });
    process.exit(0);
  }
} catch (error) {
  printProblem(await explain(error));
  process.exit(1);
}
