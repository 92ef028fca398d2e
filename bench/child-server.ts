import { type ChildProcess, spawn } from 'node:child_process';
import path from 'node:path';
import { childEnvironment } from '#server/settings.ts';
import { freePort } from '../e2e/stack.ts';

/** Starts a server of this folder in a process of its own. It listens on `PORT` and sends a message when it is ready. */
export async function startChildServer(
  file: string,
  env: Record<string, string>,
): Promise<{ url: string; process: ChildProcess }> {
  const port = await freePort();
  const child = spawn(process.execPath, [path.join(import.meta.dirname, file)], {
    env: childEnvironment({ ...env, PORT: String(port), NODE_ENV: 'production' }),
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  await new Promise<void>((resolve, reject) => {
    child.once('message', () => resolve());
    child.once('exit', (code) => reject(new Error(`${file} ended with ${code}`)));
  });
  return { url: `http://127.0.0.1:${port}`, process: child };
}
