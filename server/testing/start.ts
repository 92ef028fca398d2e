import { spawn } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { expect, vi } from 'vitest';
import { homeAt } from '#server/platform/embedded/home.ts';
import { runningServer } from '#server/platform/embedded/server.ts';
import { isRunning, processIdentity } from '#server/platform/process/identity.ts';
import { nodePath } from '#server/platform/process/node.ts';
import { childEnvironment } from '#server/settings.ts';
import { lendBrowser } from '#worker/testing/engine-browser.ts';

const ROOT = path.resolve(import.meta.dirname, '../..');
const READY_LIMIT_MS = 300_000; // a first start may have to build

/** A running product, as its operator sees it. */
export interface Product {
  /** Of its web, such as `http://localhost:3000`. */
  address: string;
  pid: number;
  /** Its output so far. */
  output(): string;
  /** Its exit code, once it has ended. */
  ended: Promise<number | null>;
}

/** A data directory for several starts of the product, with no interval between messages. */
export class Installation implements AsyncDisposable {
  readonly place = fs.mkdtempSync(path.join(os.tmpdir(), 'wirebird-start-'));
  readonly dataDir = path.join(this.place, 'data');
  readonly environment = childEnvironment({
    DATABASE_URL: undefined,
    WIREBIRD_ENV: undefined,
    LOG_LEVEL: undefined,
    AUTH_SECRET: undefined,
    KEY_PEPPER: undefined,
    DATA_KEY: undefined,
    npm_lifecycle_event: undefined,
    HOST: '127.0.0.1',
    PORT: '0',
    DATA_DIR: this.dataDir,
    SANDBOX_SEND_INTERVAL_MS: '0',
  });
  readonly #started: Product[] = [];

  /** `npm start`'s program with these arguments; resolves when the product is ready. */
  start(...args: string[]): Promise<Product> {
    return this.run(nodePath, ['server/start/main.ts', ...args]);
  }

  /** Any command that starts the product. Rejects with its output if it ends before it is ready. */
  async run(command: string, args: string[]): Promise<Product> {
    await lendBrowser(this.dataDir);
    const child = spawn(command, args, {
      cwd: ROOT,
      env: this.environment,
      stdio: ['ignore', 'pipe', 'pipe'],
      detached: true,
    });
    let output = '';
    for (const stream of [child.stdout, child.stderr]) {
      stream.on('data', (chunk) => {
        output += chunk;
      });
    }
    const ended = new Promise<number | null>((resolve) => child.once('exit', resolve));
    const tooSoon = ended.then((code) => {
      throw new Error(`it ended with code ${code}: ${output}`);
    });
    const findAddress = () => {
      // The last line, so that what is printed after the address is there too.
      const address = /Ready after .+: (http:\S+)[\s\S]*^Ctrl-C stops everything\.$/m.exec(output)?.[1];
      if (!address) throw new Error(`not ready: ${output}`);
      return address;
    };
    const ready = vi.waitFor(findAddress, { timeout: READY_LIMIT_MS, interval: 20 });
    const address = await Promise.race([ready, tooSoon]);
    const product = { address, pid: child.pid ?? 0, output: () => output, ended };
    this.#started.push(product);
    return product;
  }

  /** The identity of a running process. */
  part(name: string): string {
    return this.#read('run', name);
  }

  get keeper(): string {
    return this.#read('postgres', 'keeper');
  }

  get databaseServer(): string {
    const [pid] = this.#read('postgres', 'data', 'postmaster.pid').split('\n');
    return processIdentity(Number(pid)) ?? '';
  }

  /** The identity of every process of the running product. */
  get processes(): string[] {
    const parts = fs.readdirSync(path.join(this.dataDir, 'run')).map((name) => this.part(name));
    expect(parts).toHaveLength(3);
    const all = [this.#read('start.lock'), this.keeper, this.databaseServer, ...parts];
    expect(all.every(isRunning)).toBe(true);
    return all;
  }

  /** Waits until none of these processes, no listener and no sign of a running database is left. */
  async expectNothingLeft(product: Product, processes: string[], limitMs: number): Promise<void> {
    const waiting = { timeout: limitMs, interval: 20 };
    await vi.waitFor(() => expect(processes.filter(isRunning)).toEqual([]), waiting);
    const signs = ['keeper', 'data/postmaster.pid'].map((name) => path.join(this.dataDir, 'postgres', name));
    await vi.waitFor(() => expect(signs.filter((sign) => fs.existsSync(sign))).toEqual([]), waiting);
    await expect(fetch(product.address)).rejects.toThrow();
  }

  /** No lock and no registration is left, as after a normal stop. */
  expectTidy(): void {
    expect(fs.readdirSync(path.join(this.dataDir, 'run'))).toEqual([]);
    expect(fs.readdirSync(path.join(this.dataDir, 'postgres', 'clients'))).toEqual([]);
    expect(fs.readdirSync(this.dataDir).filter((name) => name.includes('lock'))).toEqual([]);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const { pid, ended } of this.#started) {
      if (isRunning(processIdentity(pid) ?? '')) process.kill(pid, 'SIGTERM');
      await ended;
    }
    fs.rmSync(this.place, { recursive: true, force: true });
  }

  #read(...file: string[]): string {
    return fs.readFileSync(path.join(this.dataDir, ...file), 'utf8').trim();
  }
}

/** A start that must be refused: its exit code and its output. */
export interface RefusedStart {
  code: unknown;
  errors: string;
  output: string;
  dataDir: string;
}

/** Runs `npm start`'s program with these settings until it ends. */
export async function tryStart(
  env: Record<string, string | undefined> & { DATA_DIR: string },
  ...args: string[]
): Promise<RefusedStart> {
  const child = spawn(nodePath, [path.join(import.meta.dirname, '../start/main.ts'), ...args], {
    env: childEnvironment({ PORT: '0', npm_lifecycle_event: undefined, ...env }),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const run = { code: null as unknown, errors: '', output: '', dataDir: env.DATA_DIR };
  child.stdout.on('data', (chunk) => {
    run.output += chunk;
  });
  child.stderr.on('data', (chunk) => {
    run.errors += chunk;
  });
  run.code = await new Promise((resolve) => child.once('close', resolve));
  return run;
}

/** It ended with one line that contains `line`, and left nothing that blocks the next start. */
export function expectRefusal(run: RefusedStart, line: RegExp): void {
  expect(run.errors).toMatch(line);
  expect(run.errors.trimEnd().split('\n')).toHaveLength(1);
  expect(run.code).toBe(1);
  expect(fs.existsSync(path.join(run.dataDir, 'start.lock'))).toBe(false);
  const home = homeAt(path.join(run.dataDir, 'postgres'));
  expect(fs.existsSync(home.data) && runningServer(home)).toBeFalsy();
}

/** Ends a process by force. */
export function kill(identity: string): void {
  process.kill(Number(identity.split('-')[0]), 'SIGKILL');
}

/** Whether a process was stopped by a signal and waits for SIGCONT. */
export function isStopped(identity: string): boolean {
  const stat = fs.readFileSync(`/proc/${identity.split('-')[0]}/stat`, 'utf8');
  return stat.slice(stat.lastIndexOf(')')).startsWith(') T');
}

/** The product's status for a GET. */
export async function status({ address }: Product, at = '/readyz'): Promise<number> {
  return (await fetch(address + at, { signal: AbortSignal.timeout(5_000) })).status;
}
