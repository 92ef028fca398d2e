/**
 * `npm run start:web`, `npm run start:worker`: one process of an installation that has several, on this machine or
 * others, over one database (`DATABASE_URL`). `npm run start:sandbox`: the simulated network of those on this
 * machine, which find it by `SANDBOX_DIR`. Logs to standard error; ends on SIGTERM.
 */
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { log } from '#server/platform/log.ts';
import { requireReadableSecrets } from '#server/platform/secrets.ts';
import { childEnvironment, misspeltSettings, settings } from '../settings.ts';
import { ensureBuild } from './build.ts';
import { takeDataDir } from './data-dir.ts';
import { requireMemory } from './memory.ts';
import { metricsPorts } from './metrics-ports.ts';
import { requirePorts } from './port.ts';
import { prepareDatabase } from './prepare-database.ts';
import { StartError } from './start-error.ts';
import { watchNpm } from './watch-npm.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const ENTRIES = {
  web: 'server/start/web.ts',
  worker: 'worker/main.ts',
  sandbox: 'worker/sandbox/main.ts',
} as const;

/**
 * Prepares everything that the process needs, then runs it in this process.
 *
 * @throws StartError or SettingsError when it cannot be started.
 */
export async function runProcess(name: string): Promise<void> {
  if (name === 'sandbox' || name === 'web' || name === 'worker') requireMemory(name);
  if (name === 'sandbox') {
    if (!settings.sandbox)
      throw new StartError('The sandbox is switched off. Set SANDBOX=on here and for web and worker.');
    return become(name);
  }
  if (name !== 'web' && name !== 'worker')
    throw new StartError(`Unknown process "${name}". Use web, worker or sandbox.`);
  const { databaseUrl, dataDir, host, port } = settings;
  if (!databaseUrl) {
    throw new StartError(
      'DATABASE_URL is not set. Web and worker processes share one PostgreSQL: set DATABASE_URL, or run everything on this machine with "npm start".',
    );
  }
  requireReadableSecrets();
  for (const line of misspeltSettings()) log.warn(line);
  await requirePorts([...(name === 'web' ? [{ host, port }] : []), ...metricsPorts(1)]);
  if (name === 'worker') {
    const taken = await takeDataDir(dataDir);
    process.once('exit', () => taken.release());
  }
  const { signal } = new AbortController();
  const onWaiting = (what: string) => log.warn(what);
  const keepLog = (lines: string) => {
    process.stderr.write(lines);
    return 'The lines above have the details.';
  };
  const adminLink = await prepareDatabase({
    ...{ databaseUrl, dataDir, port, signal, onWaiting, keepLog },
    adminLink: name === 'web',
    ownsDataDir: name === 'worker',
  });
  if (name === 'web') {
    await ensureBuild(ROOT, signal);
    if (adminLink) log.info({ adminLink }, 'open this link and sign up to become the administrator');
  }
  await become(name);
}

async function become(name: keyof typeof ENTRIES): Promise<void> {
  watchNpm(childEnvironment().npm_lifecycle_event !== undefined, () => process.kill(process.pid, 'SIGTERM'));
  await import(pathToFileURL(path.join(ROOT, ENTRIES[name])).href);
}
