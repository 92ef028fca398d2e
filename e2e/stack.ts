import { type ChildProcess, spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { childEnvironment } from '#server/settings.ts';
import { lendBrowser } from '#worker/testing/engine-browser.ts';
import { Cli } from './cli.ts';

const ROOT = path.join(import.meta.dirname, '..');
const START = path.join(ROOT, 'server/start/main.ts');
/** The first start may have to build. */
const READY_WITHIN_MS = 240_000;

type Env = Record<string, string | undefined>;

/** The product as its operator starts it: one command, everything real, with a separate data directory. */
export interface Stack {
  url: string;
  dataDir: string;
  /** What the product has printed so far. */
  output(): string;
  /** Runs `npm run cli -- …` and returns the JSON that it prints. */
  cli<T = Record<string, unknown>>(...args: string[]): Promise<T>;
  /** Sends a signal to the supervisor and resolves with its exit code when it is gone. */
  end(signal: 'SIGTERM' | 'SIGINT' | 'SIGKILL'): Promise<number | null>;
  /** Stops the product and removes its data. */
  stop(): Promise<void>;
}

/** Starts the product and waits until it is ready for everything. `dataDir`: continues with an existing one. */
export async function startStack(
  options: { env?: Env; dataDir?: string; port?: number } = {},
): Promise<Stack> {
  const dataDir = options.dataDir ?? (await mkdtemp(path.join(os.tmpdir(), 'wirebird-e2e-')));
  await lendBrowser(dataDir);
  const port = options.port ?? (await freePort());
  const env = childEnvironment({
    DATA_DIR: dataDir,
    PORT: String(port),
    WIREBIRD_ENV: 'local',
    ...options.env,
  });
  const url = `http://127.0.0.1:${port}`;
  const product = spawn(process.execPath, [START], { cwd: ROOT, env, stdio: ['ignore', 'pipe', 'pipe'] });
  let output = '';
  for (const stream of [product.stdout, product.stderr])
    stream.on('data', (chunk) => {
      output += chunk;
    });
  const exited = new Promise<number | null>((resolve) => product.once('exit', resolve));
  await untilReady(url, product, () => output);

  const cli = new Cli(env);
  const end = (signal: NodeJS.Signals) => {
    cli.stop();
    product.kill(signal);
    return exited;
  };
  return {
    url,
    dataDir,
    output: () => output,
    cli: (...args) => cli.run(args),
    end,
    async stop() {
      await end('SIGTERM');
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

async function untilReady(url: string, product: ChildProcess, output: () => string): Promise<void> {
  const until = performance.now() + READY_WITHIN_MS;
  while (performance.now() < until) {
    if (product.exitCode !== null) throw new Error(`the product ended while starting:\n${output()}`);
    const answer = await fetch(`${url}/readyz`).catch(() => null);
    if (answer?.status === 200) return;
    await delay(100);
  }
  product.kill('SIGTERM');
  throw new Error(`the product was not ready in time:\n${output()}`);
}

/**
 * A port that nobody listens on right now. Below those that the system gives to outgoing connections, so that no connection
 * takes it before the product listens. Browsers refuse some ports below these.
 */
export function freePort(): Promise<number> {
  const port = randomInt(10_100, 32_000);
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') resolve(freePort());
      else reject(error);
    });
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(port)));
  });
}
