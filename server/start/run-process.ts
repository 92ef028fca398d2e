/**
 * `npm run start:web`, `npm run start:worker`: one process of an installation that has several, on this machine
 * or others, over one database (`DATABASE_URL`). `npm run start:sandbox`: the simulated network of those on this
 * machine, which find it by `SANDBOX_DIR`. Logs to standard output; ends by SIGTERM.
 */
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { log } from '#server/platform/log.ts';
import { requireReadableSecrets } from '#server/platform/secrets.ts';
import { childEnvironment, misspeltSettings, settings } from '../settings.ts';
import { watchNpm } from './ancestors.ts';
import { ensureBuild } from './build.ts';
import { takeDataDir } from './data-dir.ts';
import { requireMemory } from './memory.ts';
import { metricsPorts } from './metrics-ports.ts';
import { requirePorts } from './port.ts';
import { prepareDatabase } from './prepare-database.ts';
import { StartError } from './start-error.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const ENTRIES = {
  web: 'server/start/web.ts',
  worker: 'worker/main.ts',
  sandbox: 'worker/sandbox/main.ts',
} as const;

/**
 * Makes everything ready that the part needs, and becomes it.
 *
 * @throws StartError or SettingsError when it cannot be started.
 */
export async function runProcess(part: string): Promise<void> {
  if (part === 'sandbox' || part === 'web' || part === 'worker') requireMemory(part);
  if (part === 'sandbox') {
    if (!settings.sandbox)
      throw new StartError('The sandbox is switched off. Set SANDBOX=on here and for web and worker.');
    return become(part);
  }
  if (part !== 'web' && part !== 'worker')
    throw new StartError(`There is no part "${part}": web, worker or sandbox.`);
  const { databaseUrl, dataDir, host, port } = settings;
  if (!databaseUrl) {
    throw new StartError(
      'DATABASE_URL is not set. Web and worker processes share one PostgreSQL: name it, or run everything on this machine with "npm start".',
    );
  }
  requireReadableSecrets();
  for (const line of misspeltSettings()) log.warn(line);
  await requirePorts([...(part === 'web' ? [{ host, port }] : []), ...metricsPorts(1)]);
  if (part === 'worker') {
    const taken = await takeDataDir(dataDir);
    process.once('exit', () => taken.release());
  }
  const { signal } = new AbortController();
  const onWaiting = (what: string) => log.warn(what);
  const adminLink = await prepareDatabase({
    ...{ databaseUrl, dataDir, port, signal, onWaiting },
    adminLink: part === 'web',
    ownsDataDir: part === 'worker',
  });
  if (part === 'web') {
    await ensureBuild(ROOT, signal);
    if (adminLink) log.info({ adminLink }, 'open this link and sign up to become the administrator');
  }
  await become(part);
}

async function become(part: keyof typeof ENTRIES): Promise<void> {
  watchNpm(childEnvironment().npm_lifecycle_event !== undefined, () => process.kill(process.pid, 'SIGTERM'));
  await import(pathToFileURL(path.join(ROOT, ENTRIES[part])).href);
}
