import fs from 'node:fs';
import path from 'node:path';
import { requireReadableSecrets } from '#server/platform/secrets.ts';
import { misspeltSettings, settings } from '../settings.ts';
import { ensureBuild } from './build.ts';
import { type DataDir, takeDataDir } from './data-dir.ts';
import { type StartedDatabase, startDatabase } from './database.ts';
import { ManagedProcess } from './managed-process.ts';
import { requireMemory } from './memory.ts';
import { metricsPorts } from './metrics-ports.ts';
import { requirePorts } from './port.ts';
import { prepareDatabase } from './prepare-database.ts';
import { print, printFrom, printStep } from './print.ts';
import { printReady } from './print-ready.ts';
import { planProcesses } from './process-plans.ts';
import { requireDemoPlace, runDemo } from './run-demo.ts';
import { keepStartLog } from './start-log.ts';
import { listenForStop } from './stop-signal.ts';

export interface Mode {
  /** Hot reload instead of a production build, and every line of the logs. */
  dev: boolean;
  /** Demonstrates the product once it runs. */
  demo: boolean;
}

const ROOT = path.resolve(import.meta.dirname, '../..');
const DRAIN_NOTICE_MS = 1_000;
/**
 * Time for the outcomes and for closing the browsers. With the sandbox and the database (2.5 s at most) everything
 * stops within 15 s, and within 10 s with DRAIN_SECONDS=3.
 */
const WORK_STOP_MS = (settings.outcomeSeconds + 3) * 1000;
const SANDBOX_STOP_MS = 1_000;

/**
 * Starts the product, runs it until it is asked to stop, and stops it. When this returns or throws, all its
 * processes have ended.
 *
 * @throws StartError or SettingsError if it cannot be started.
 */
export async function start(mode: Mode): Promise<void> {
  if (mode.demo) requireDemoPlace();
  for (const line of misspeltSettings()) printFrom('settings', 'warn', line);
  const processes: ManagedProcess[] = [];
  const stopping = listenForStop(
    () => {
      for (const each of processes) each.kill();
    },
    () => print('Ctrl-Z does not pause Wirebird. Ctrl-C stops it.'),
  );
  const { signal } = stopping;
  await using cleanup = new AsyncDisposableStack();

  requireMemory('all');
  const dataDir = await takeDataDir(settings.dataDir);
  cleanup.defer(() => dataDir.release());
  const { host } = settings;
  const [port = 0] = await requirePorts([{ host, port: settings.port }, ...metricsPorts(2)]);
  // Reports problems with the secrets before anything is created.
  requireReadableSecrets();
  printStep('data', settings.dataDir);

  const database = await startDatabase(settings);
  cleanup.defer(() => database.release());
  const running = { databaseUrl: database.url, dataDir: settings.dataDir, port };

  const plans = planProcesses({ root: ROOT, ...running, ...mode });
  const manage = (name: keyof typeof plans) => {
    const made = new ManagedProcess(plans[name], options(name, dataDir, database, mode));
    processes.push(made);
    return made;
  };
  const [sandbox, worker, web] = [
    settings.sandbox ? manage('sandbox') : null,
    manage('worker'),
    manage('web'),
  ];
  cleanup.defer(() => stopProcesses({ web, worker, sandbox }));

  /** Waits for all of `work`; false if a request to stop comes first. */
  const untilStopped = async (...work: Promise<unknown>[]) => {
    await Promise.race([Promise.all(work), stopping.stopped]);
    return !signal.aborted;
  };

  let adminLink: string | null = null;
  const embedded = database.place !== null;
  const onWaiting = (what: string) => printStep('database', what);
  const keepLog = (lines: string) => keepStartLog(settings.dataDir, lines);
  const preparing = prepareDatabase({
    ...{ ...running, embedded, signal, onWaiting, keepLog },
    ownsDataDir: true,
  }).then((link) => {
    adminLink = link;
    if (!signal.aborted) printStep('database', database.described);
  });
  if (!(await untilStopped(preparing, startProcess('sandbox', sandbox)))) return;
  if (!mode.dev) {
    const built = await ensureBuild(ROOT, signal, dataDir.runDir);
    if (signal.aborted) return;
    printStep('build', built ? 'made' : 'up to date');
  }
  if (!(await untilStopped(startProcess('worker', worker), startProcess('web', web)))) return;

  if (mode.dev) cleanup.defer(watchSources(ROOT, { worker, sandbox }));
  printReady({ adminLink, port });
  if (mode.demo) await runDemo(running, signal);
  printStep('stopping', await stopping.stopped);
}

/** Builds for the next start, unless the build is up to date. */
export async function buildOnly(): Promise<void> {
  const built = await ensureBuild(ROOT, listenForStop(() => {}).signal);
  printStep('build', built ? 'made' : 'up to date');
}

function options(name: string, dataDir: DataDir, database: StartedDatabase, mode: Mode) {
  return {
    runDir: dataDir.runDir,
    logDir: dataDir.logDir,
    verbose: mode.dev,
    onStarted: (pid: number) => database.share(pid),
    onTrouble: (what: string) => printFrom(name, 'error', what),
  };
}

async function startProcess(name: string, managed: ManagedProcess | null): Promise<void> {
  if (await managed?.start()) printStep(name, 'ready');
}

/**
 * The web stops accepting requests but still answers callers that wait, while the worker finishes what it has
 * begun to send. The simulated network stops only after both.
 */
async function stopProcesses({
  web,
  worker,
  sandbox,
}: {
  web: ManagedProcess;
  worker: ManagedProcess;
  sandbox: ManagedProcess | null;
}): Promise<void> {
  const drained = web.waitForMessage('draining', DRAIN_NOTICE_MS);
  const webStopped = web.stop(WORK_STOP_MS);
  await drained;
  await Promise.all([webStopped, worker.stop(WORK_STOP_MS)]);
  await sandbox?.stop(SANDBOX_STOP_MS);
}

const QUIET_MS = 200;

/**
 * For `npm run dev`: restarts the worker or the sandbox when its code changes. The web reloads itself.
 *
 * @returns a function that stops watching.
 */
function watchSources(
  root: string,
  processes: { worker: ManagedProcess; sandbox: ManagedProcess | null },
): () => void {
  const changed = new Set<ManagedProcess>();
  let timer: NodeJS.Timeout | undefined;
  const watch = (folder: string) =>
    fs.watch(path.join(root, folder), { recursive: true }, (_event, name) => {
      if (!name || !/\.ts$/.test(name) || /\.test\.ts$/.test(name)) return;
      const managed =
        folder === 'worker' && name.startsWith('sandbox') ? processes.sandbox : processes.worker;
      if (managed) changed.add(managed);
      clearTimeout(timer);
      timer = setTimeout(() => {
        for (const each of changed) each.restart();
        changed.clear();
      }, QUIET_MS);
    });
  const watchers = ['worker', 'server'].map(watch);
  return () => {
    clearTimeout(timer);
    for (const watcher of watchers) watcher.close();
  };
}
