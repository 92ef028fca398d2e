import path from 'node:path';
import { requireReadableSecrets } from '#server/platform/secrets.ts';
import { misspeltSettings, settings } from '../settings.ts';
import { announce } from './announce.ts';
import { ensureBuild } from './build.ts';
import { type DataDir, takeDataDir } from './data-dir.ts';
import { type StartedDatabase, startDatabase } from './database.ts';
import { ManagedProcess } from './managed-process.ts';
import { requireMemory } from './memory.ts';
import { metricsPorts } from './metrics-ports.ts';
import { requirePorts } from './port.ts';
import { prepareDatabase } from './prepare-database.ts';
import { planProcesses } from './process-plans.ts';
import { requireDemoPlace, runDemo } from './run-demo.ts';
import { say, sayFrom, sayStep } from './say.ts';
import { listenForStop } from './stop-signal.ts';
import { watchSources } from './watch-sources.ts';

export interface Mode {
  /** Hot reload instead of a production build, and every line of the logs. */
  dev: boolean;
  /** Shows unasked what the product does, once it runs. */
  demo: boolean;
}

const ROOT = path.resolve(import.meta.dirname, '../..');
const DRAIN_NOTICE_MS = 1_000;
/** All of it within 15 s: the parts that finish their work, the sandbox, then the database (2.5 s at most). */
const PARTS_STOP_MS = 11_000;
const SANDBOX_STOP_MS = 1_000;

/**
 * Starts the product, runs it until it is asked to stop, and stops it. When this returns or throws, nothing
 * of it is left.
 *
 * @throws StartError or SettingsError when it cannot be started.
 */
export async function start(mode: Mode): Promise<void> {
  if (mode.demo) requireDemoPlace();
  for (const line of misspeltSettings()) sayFrom('settings', 'warn', line);
  const parts: ManagedProcess[] = [];
  const stopping = listenForStop(
    () => {
      for (const part of parts) part.kill();
    },
    () => say('Ctrl-Z does not pause Wirebird. Ctrl-C stops it.'),
  );
  const { signal } = stopping;
  await using cleanup = new AsyncDisposableStack();

  requireMemory('all');
  const dataDir = await takeDataDir(settings.dataDir);
  cleanup.defer(() => dataDir.release());
  const { host } = settings;
  const [port = 0] = await requirePorts([{ host, port: settings.port }, ...metricsPorts(2)]);
  // What is wrong with them is said before anything is made.
  requireReadableSecrets();
  sayStep('data', settings.dataDir);

  const database = await startDatabase(settings);
  cleanup.defer(() => database.release());
  const running = { databaseUrl: database.url, dataDir: settings.dataDir, port };

  const plans = planProcesses({ root: ROOT, ...running, ...mode });
  const part = (name: keyof typeof plans) => {
    const made = new ManagedProcess(plans[name], options(name, dataDir, database, mode));
    parts.push(made);
    return made;
  };
  const [sandbox, worker, web] = [settings.sandbox ? part('sandbox') : null, part('worker'), part('web')];
  cleanup.defer(() => stopParts({ web, worker, sandbox }));

  /** Does several things at once; false when the wish to stop came before they were done. */
  const untilStopped = async (...work: Promise<unknown>[]) => {
    await Promise.race([Promise.all(work), stopping.stopped]);
    return !signal.aborted;
  };

  let adminLink: string | null = null;
  const embedded = database.place !== null;
  const onWaiting = (what: string) => sayStep('database', what);
  const preparing = prepareDatabase({ ...running, embedded, signal, onWaiting, ownsDataDir: true }).then(
    (link) => {
      adminLink = link;
      if (!signal.aborted) sayStep('database', database.described);
    },
  );
  if (!(await untilStopped(preparing, startPart('sandbox', sandbox)))) return;
  if (!mode.dev) {
    const built = await ensureBuild(ROOT, signal, dataDir.runDir);
    if (signal.aborted) return;
    sayStep('build', built ? 'made' : 'up to date');
  }
  if (!(await untilStopped(startPart('worker', worker), startPart('web', web)))) return;

  if (mode.dev) cleanup.defer(watchSources(ROOT, { worker, sandbox }));
  announce({ adminLink, port });
  if (mode.demo) await runDemo(running, signal);
  sayStep('stopping', await stopping.stopped);
}

/** Makes the production build that the next start will find, unless it is there. */
export async function buildOnly(): Promise<void> {
  const built = await ensureBuild(ROOT, listenForStop(() => {}).signal);
  sayStep('build', built ? 'made' : 'up to date');
}

function options(name: string, dataDir: DataDir, database: StartedDatabase, mode: Mode) {
  return {
    runDir: dataDir.runDir,
    logDir: dataDir.logDir,
    verbose: mode.dev,
    onStarted: (pid: number) => database.share(pid),
    onTrouble: (what: string) => sayFrom(name, 'error', what),
  };
}

async function startPart(name: string, part: ManagedProcess | null): Promise<void> {
  if (await part?.start()) sayStep(name, 'ready');
}

/**
 * The web first stops accepting but stays to answer those who wait, while the worker finishes what it has
 * begun to send; then the simulated network may go.
 */
async function stopParts(parts: {
  web: ManagedProcess;
  worker: ManagedProcess;
  sandbox: ManagedProcess | null;
}): Promise<void> {
  const drained = parts.web.waitForMessage('draining', DRAIN_NOTICE_MS);
  const web = parts.web.stop(PARTS_STOP_MS);
  await drained;
  await Promise.all([web, parts.worker.stop(PARTS_STOP_MS)]);
  await parts.sandbox?.stop(SANDBOX_STOP_MS);
}
