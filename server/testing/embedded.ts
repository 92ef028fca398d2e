import { type ChildProcess, spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { nodePath } from '#server/platform/process/node.ts';

/** Another process that uses the embedded server until it is asked to release it, or is killed. */
export interface OtherProcess {
  pid: number;
  url: string;
  serverPid: number;
  started: boolean;
  share(pid: number): Promise<void>;
  release(): Promise<void>;
  kill(): Promise<void>;
}

const SCRIPT = fileURLToPath(new URL('./embedded-client.ts', import.meta.url));

/** Starts a process that calls `ensurePostgres(dir)`. Rejects with its stderr if it fails. */
export async function startOtherProcess(dir: string): Promise<OtherProcess> {
  const child = spawn(nodePath, [SCRIPT, dir], { stdio: ['ignore', 'pipe', 'pipe', 'ipc'] });
  let errors = '';
  child.stderr?.on('data', (chunk) => {
    errors += chunk;
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  const ready = new Promise<{ url: string; serverPid: number; started: boolean }>((resolve, reject) => {
    child.once('message', (message) => resolve(message as never));
    child.once('exit', () => reject(new Error(errors)));
  });
  const { url, serverPid, started } = await ready;
  return {
    pid: idOf(child),
    url,
    serverPid,
    started,
    share(pid) {
      child.send({ share: pid });
      return new Promise((resolve) => child.once('message', () => resolve()));
    },
    async release() {
      child.send({ release: true });
      await ended;
    },
    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}

function idOf(child: ChildProcess): number {
  if (child.pid === undefined) throw new Error('the process did not start');
  return child.pid;
}
