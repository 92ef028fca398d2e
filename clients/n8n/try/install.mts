/** n8n and the packed nodes, each installed as a user does it. */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { npmEnvironment } from '../../testing/npm-environment.ts';

export const N8N_VERSION = '2.41.1';
const PACKAGE = path.join(import.meta.dirname, '..');
const MAX_BUFFER = 16 * 2 ** 20;
const run = promisify(execFile);

/**
 * Installs n8n in `dir`, unless it is there already. Install scripts would build drivers of databases and queues that are
 * not used here, and download parts of them.
 */
export async function installN8n(dir: string): Promise<void> {
  const installed = path.join(dir, 'node_modules/n8n/package.json');
  if (existsSync(installed) && JSON.parse(await readFile(installed, 'utf8')).version === N8N_VERSION) return;
  await mkdir(dir, { recursive: true });
  await npm(dir, 'install', '--prefix', dir, '--ignore-scripts', `n8n@${N8N_VERSION}`);
}

/** Builds and packs the nodes, and returns the path of the package. */
export async function packNodes(dir: string): Promise<string> {
  if (!existsSync(path.join(PACKAGE, 'node_modules'))) await npm(PACKAGE, 'ci', '--ignore-scripts');
  await npm(PACKAGE, 'run', 'build');
  const packed = JSON.parse(await npm(PACKAGE, 'pack', '--json', '--pack-destination', dir));
  // An array, or an object by the package's name: this depends on npm's version.
  const [{ filename }] = Object.values<{ filename: string }>(packed) as [{ filename: string }];
  return path.join(dir, filename);
}

/** Installs the package where n8n looks for community nodes, with the command of the README. */
export async function installNodes(tarball: string, userFolder: string): Promise<void> {
  const nodes = path.join(userFolder, '.n8n/nodes');
  await mkdir(nodes, { recursive: true });
  await npm(nodes, 'install', tarball);
}

async function npm(cwd: string, ...args: string[]): Promise<string> {
  const options = { cwd, env: npmEnvironment(), maxBuffer: MAX_BUFFER };
  return (await run('npm', [...args, '--no-audit', '--no-fund'], options)).stdout;
}
