import { spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import fs from 'node:fs';
import path from 'node:path';
import { processIdentity } from '#server/platform/process/identity.ts';
import { lock } from '#server/platform/process/lock.ts';
import { nodePath } from '#server/platform/process/node.ts';
import { childEnvironment } from '../settings.ts';
import { StartError } from './start-error.ts';

const BUILD_LIMIT_MS = 15 * 60_000;

/**
 * Makes the production build of the web, unless one of the same sources exists. Resolves to whether it built.
 *
 * @param signal Ends the build without an error.
 * @param runDir Where a later start finds processes that this one left running.
 * @throws StartError with the compiler's output if it fails.
 */
export async function ensureBuild(root: string, signal: AbortSignal, runDir?: string): Promise<boolean> {
  const sources = hashSources(root);
  if (isBuiltFrom(root, sources)) return false;
  // Two starts in one checkout must not build at the same time.
  const cache = path.join(root, 'node_modules', '.cache', 'wirebird');
  fs.mkdirSync(cache, { recursive: true });
  const unlock = await lock(path.join(cache, 'build.lock'), BUILD_LIMIT_MS);
  try {
    if (isBuiltFrom(root, sources)) return false;
    fs.rmSync(stampOf(root), { force: true });
    await build(root, signal, runDir);
    if (!signal.aborted) fs.writeFileSync(stampOf(root), sources);
    return true;
  } finally {
    unlock();
  }
}

const idOf = (root: string): string => path.join(root, '.next', 'BUILD_ID');
const stampOf = (root: string): string => path.join(root, '.next', 'built-from');

function isBuiltFrom(root: string, sources: string): boolean {
  try {
    return fs.existsSync(idOf(root)) && fs.readFileSync(stampOf(root), 'utf8') === sources;
  } catch {
    return false;
  }
}

async function build(root: string, signal: AbortSignal, runDir?: string): Promise<void> {
  const next = path.join(root, 'node_modules/next/dist/bin/next');
  const child = spawn(nodePath, [next, 'build'], {
    cwd: root,
    // A build is always for production; the machine's NODE_ENV would break it.
    env: childEnvironment({ NODE_ENV: 'production', NEXT_TELEMETRY_DISABLED: '1' }),
    stdio: ['ignore', 'pipe', 'pipe'],
    detached: process.platform !== 'win32',
  });
  const runFile = runDir && path.join(runDir, 'build');
  if (runFile && child.pid) fs.writeFileSync(runFile, processIdentity(child.pid) ?? '', { mode: 0o600 });
  const endGroup = () => {
    // The build's workers are in its process group and end with it.
    if (child.pid !== undefined)
      process.kill(process.platform === 'win32' ? child.pid : -child.pid, 'SIGKILL');
  };
  signal.addEventListener('abort', endGroup, { once: true });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk: Buffer) => {
      output += chunk;
    });
  }
  const [code, ended] = await new Promise<[number | null, NodeJS.Signals | null]>((resolve) => {
    child.once('error', () => resolve([null, null]));
    child.once('close', (...how) => resolve(how));
  });
  signal.removeEventListener('abort', endGroup);
  if (runFile) fs.rmSync(runFile, { force: true });
  if (signal.aborted) return;
  if (ended === 'SIGKILL')
    throw new StartError(
      'The dashboard’s production build was killed, probably because memory ran out. Add memory, or run "npm run build" on a larger machine and copy ".next" here.',
    );
  if (code !== 0 || !fs.existsSync(idOf(root)))
    throw new StartError(`The dashboard’s production build failed:\n${output.trim()}`);
}

/** The folders of a production build, besides the files of the root. `worker` is not one: no page imports it. */
const FOLDERS = ['app', 'public', 'server'];

/** A hash of everything that a production build depends on. A different hash requires a new build. */
export function hashSources(root: string): string {
  const hash = createHash('sha256').update(`${process.version} ${process.platform}-${process.arch}\n`);
  const ofRoot = fs
    .readdirSync(root)
    .filter((name) => /\.(ts|js|mjs|json)$/.test(name) && name !== 'next-env.d.ts')
    .sort();
  for (const name of [...FOLDERS, ...ofRoot]) {
    for (const file of filesBelow(root, name)) {
      const content = fs.readFileSync(path.join(root, file));
      hash.update(`${file} ${content.length}\n`).update(content);
    }
  }
  return hash.digest('hex');
}

/** Files in a fixed order, without tests, which are not built. */
function filesBelow(root: string, name: string): string[] {
  const stat = fs.statSync(path.join(root, name), { throwIfNoEntry: false });
  if (!stat) return [];
  if (!stat.isDirectory()) return /\.test\.tsx?$/.test(name) ? [] : [name];
  return fs
    .readdirSync(path.join(root, name))
    .sort()
    .flatMap((entry) => filesBelow(root, path.posix.join(name, entry)));
}
