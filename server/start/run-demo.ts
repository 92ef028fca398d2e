import { spawn } from 'node:child_process';
import path from 'node:path';
import { nodePath } from '#server/platform/process/node.ts';
import { settings } from '../settings.ts';
import { PARENT_WATCH } from './managed-process.ts';
import { publicAddress } from './print-ready.ts';
import { type ProcessSettings, processEnvironment } from './process-plans.ts';
import { StartError } from './start-error.ts';

/**
 * Refuses the demo where it must not run, before anything starts.
 *
 * @throws StartError in production, and without the sandbox.
 */
export function requireDemoPlace(): void {
  if (settings.production) {
    throw new StartError(
      'The demo creates its own account, which must not exist in production. Use npm start.',
    );
  }
  if (!settings.sandbox)
    throw new StartError('SANDBOX is off, and the demo sends through the sandbox: set SANDBOX=on.');
}

/** Demonstrates the running product on the terminal, until `signal` aborts. */
export async function runDemo(
  running: Omit<ProcessSettings, 'root' | 'dev'>,
  signal: AbortSignal,
): Promise<void> {
  const host = ['0.0.0.0', '::', 'localhost'].includes(settings.host) ? '127.0.0.1' : settings.host;
  const address = `http://${host.includes(':') ? `[${host}]` : host}:${running.port}`;
  const entry = path.join(import.meta.dirname, 'demo/main.ts');
  const child = spawn(nodePath, ['--import', PARENT_WATCH, entry, address, publicAddress(running.port)], {
    env: processEnvironment({ ...running, dev: false }),
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
    detached: process.platform !== 'win32',
    signal,
    killSignal: 'SIGKILL',
  });
  await new Promise<void>((resolve) => {
    child.once('error', () => resolve());
    child.once('exit', () => resolve());
  });
}
