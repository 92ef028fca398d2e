import path from 'node:path';
import { compileCache } from '#server/platform/process/node.ts';
import { childEnvironment, settings as given, startedEnvironment } from '../settings.ts';
import type { ProcessPlan } from './managed-process.ts';

export interface ProcessSettings {
  root: string;
  dataDir: string;
  databaseUrl: string;
  port: number;
  dev: boolean;
}

/** The environment of a process of the product. */
export function processEnvironment(
  settings: Omit<ProcessSettings, 'root'>,
  others: Record<string, string | undefined> = {},
): NodeJS.ProcessEnv {
  return startedEnvironment({
    DATA_DIR: settings.dataDir,
    DATABASE_URL: settings.databaseUrl,
    PORT: String(settings.port),
    // Nothing of ours reads it, but Next and React do.
    NODE_ENV: settings.dev ? 'development' : 'production',
    NEXT_TELEMETRY_DISABLED: '1',
    NODE_COMPILE_CACHE: childEnvironment().NODE_COMPILE_CACHE ?? compileCache,
    ...others,
  });
}

/** The processes of the product: what each runs, and with which environment. */
export function planProcesses(settings: ProcessSettings): Record<'sandbox' | 'worker' | 'web', ProcessPlan> {
  const { root, dev } = settings;
  const common = {
    DRAIN_SECONDS: String(given.outcomeSeconds),
    // There is no other web process that the proxy could switch to.
    STOP_NOTICE_SECONDS: '0',
  };
  const env = processEnvironment(settings, common);
  const entry = (file: string) => path.join(root, file);
  return {
    sandbox: {
      name: 'sandbox',
      entry: entry('worker/sandbox/main.ts'),
      youngMegabytes: 4,
      env,
    },
    worker: {
      name: 'worker',
      entry: entry('worker/main.ts'),
      youngMegabytes: 16,
      env: processEnvironment(settings, { ...common, METRICS_PORT: workerMetricsPort() }),
    },
    web: {
      name: 'web',
      entry: entry('server/start/web.ts'),
      args: dev ? ['--dev'] : [],
      youngMegabytes: 16,
      env,
    },
  };
}

/** On one machine the web process uses `METRICS_PORT`, and the worker the next port. */
function workerMetricsPort(): string | undefined {
  const { metricsPort } = given;
  return metricsPort ? String(metricsPort + 1) : undefined;
}
