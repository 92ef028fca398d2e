/**
 * `npm start`, `npm run dev` (`--dev`), `npm run demo` (`--demo`): starts the product and runs until it stops.
 * `npm run build` (`--build`): only builds. `npm run start:web`, `npm run start:worker` (`--only web|worker`): one
 * process of an installation that has several; `npm run start:sandbox`: their simulated network.
 */
import { parseArgs } from 'node:util';
import '#server/platform/process/fast-imports.ts';
import { printProblem } from './print.ts';

const flag = { type: 'boolean', default: false } as const;

/** The message of an error that the operator can fix; the stack of any other error. */
function explain(error: unknown): string {
  if (!(error instanceof Error)) return String(error);
  const foreseen =
    ['StartError', 'SettingsError'].includes(error.constructor.name) ||
    ('code' in error && String(error.code).startsWith('ERR_PARSE_ARGS'));
  return foreseen ? error.message : (error.stack ?? error.message);
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
  printProblem(explain(error));
  process.exit(1);
}
