/**
 * `npm run try:dockerfile [-- --dir DIR]`: does what `deploy/Dockerfile` says without Docker. Each stage
 * becomes a Debian root with only its base, its files and the results of its steps; then web and
 * worker start from the last one as its user, and must become ready and stop cleanly.
 *
 * As root, on Linux with debootstrap. What differs from Docker: the base is Debian itself with this machine's
 * Node and npm in it, nothing is isolated but the files, and layers, HEALTHCHECK and the registry play no part.
 */
import { execFileSync, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { ensurePostgres } from '#server/platform/embedded/postgres.ts';
import { nodePath } from '#server/platform/process/node.ts';
import { freePort } from '../e2e/stack.ts';
import { inRoot, makeDebian, onHost } from './debian-root.ts';

const ROOT = path.resolve(import.meta.dirname, '..');
const READY_WITHIN_MS = 180_000;
interface Step {
  word: string;
  rest: string;
}
interface Stage {
  name: string;
  root: string;
  env: Record<string, string>;
  workdir: string;
  user: string;
  entrypoint: string[];
}

const { values } = parseArgs({ options: { dir: { type: 'string' } } });
if (process.getuid?.() !== 0) throw new Error('debootstrap and mounts need root: run it as root.');
const place = values.dir ?? fs.mkdtempSync(path.join(os.tmpdir(), 'wirebird-image-'));
fs.mkdirSync(place, { recursive: true });

const stages = new Map<string, Stage>();
let last: Stage | null = null;
for (const step of stepsOf(fs.readFileSync(path.join(ROOT, 'deploy/Dockerfile'), 'utf8'))) {
  console.log(`\n=== ${step.word} ${step.rest}`);
  if (step.word === 'FROM') last = begin(step.rest);
  else if (last) take(last, step);
}
if (!last) throw new Error('the Dockerfile has no stage');
await tryOut(last);
console.log(`\nThe steps went through, and web and worker ran and stopped. Roots are in ${place}.`);

/** The instructions of a Dockerfile, with continued lines joined and comments removed. */
function stepsOf(text: string): Step[] {
  const lines = text
    .split('\n')
    .filter((line) => !/^\s*(#|$)/.test(line))
    .join('\n')
    .replaceAll(/\\\n\s*/g, ' ');
  return lines.split('\n').map((line) => {
    const [, word = '', rest = ''] = /^(\w+)\s+(.*)$/.exec(line) ?? [];
    return { word, rest };
  });
}

/** A new root from the base of a stage. */
function begin(from: string): Stage {
  const [, major, suite = '', as] = /^node:(\d+)-(\w+)-slim(?: AS (\w+))?$/i.exec(from) ?? [];
  if (major !== process.versions.node.split('.')[0])
    throw new Error(`${from}: this is Node ${process.version}`);
  const base = path.join(place, 'base');
  if (!fs.existsSync(path.join(base, 'usr/local/bin/npm'))) makeBase(base, suite);
  const name = as ?? 'last';
  const root = path.join(place, name);
  fs.rmSync(root, { recursive: true, force: true });
  onHost('cp', '-a', base, root);
  const stage = { name, root, env: {}, workdir: '/', user: 'root', entrypoint: [] };
  stages.set(name, stage);
  return stage;
}

/** Debian like its slim image, with Node and npm in `/usr/local`. */
function makeBase(base: string, suite: string): void {
  makeDebian(base, suite);
  onHost('cp', '-L', nodePath, path.join(base, 'usr/local/bin/node'));
  const npm = execFileSync('sh', ['-c', 'dirname "$(dirname "$(readlink -f "$(command -v npm)")")"']);
  const modules = path.join(base, 'usr/local/lib/node_modules');
  fs.mkdirSync(modules, { recursive: true });
  onHost('cp', '-aL', npm.toString().trim(), path.join(modules, 'npm'));
  for (const name of ['npm', 'npx'])
    fs.symlinkSync(`../lib/node_modules/npm/bin/${name}-cli.js`, path.join(base, 'usr/local/bin', name));
}

function take(stage: Stage, { word, rest }: Step): void {
  switch (word) {
    case 'WORKDIR':
      stage.workdir = rest;
      fs.mkdirSync(path.join(stage.root, rest), { recursive: true });
      return;
    case 'ENV':
      for (const pair of rest.split(' ')) {
        const [name = '', value = ''] = pair.split('=');
        stage.env[name] = value;
      }
      return;
    case 'RUN':
      onHost('unshare', ...inside(stage, ['/bin/sh', '-c', `cd ${stage.workdir} && ${rest}`]));
      return;
    case 'COPY':
      copy(stage, rest.split(' '));
      return;
    case 'USER':
      stage.user = rest;
      return;
    case 'ENTRYPOINT':
      stage.entrypoint = JSON.parse(rest);
      return;
    case 'VOLUME':
    case 'STOPSIGNAL':
    case 'CMD':
      return;
    default:
      throw new Error(`${word} is not known here`);
  }
}

function copy(stage: Stage, words: string[]): void {
  const places = words.filter((word) => !word.startsWith('--'));
  const [, from] = /--from=(\w+)/.exec(words.join(' ')) ?? [];
  const to = path.join(stage.root, path.resolve(stage.workdir, places.pop() ?? ''));
  if (from) {
    const source = path.join(stages.get(from)?.root ?? '', places[0] ?? '');
    fs.mkdirSync(to, { recursive: true });
    onHost('cp', '-a', '--no-preserve=ownership', `${source}/.`, to);
    return;
  }
  // The context holds the files that git knows, without those in .dockerignore.
  const known = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
    cwd: ROOT,
  });
  const all = known.toString().trim().split('\n');
  const wanted = all.filter((file) => places.includes('.') || places.includes(file));
  for (const file of wanted.filter((one) => fs.existsSync(path.join(ROOT, one)))) {
    fs.mkdirSync(path.dirname(path.join(to, file)), { recursive: true });
    fs.copyFileSync(path.join(ROOT, file), path.join(to, file));
  }
}

/** Arguments of `unshare` that run a command in a stage's root, as its user. */
function inside(stage: Stage, command: string[], more: Record<string, string> = {}): string[] {
  const { root, user } = stage;
  return inRoot(root, { HOME: homeOf(stage), ...stage.env, ...more }, command, { user });
}

/** Docker takes a user's home from the image's passwd, even if it does not exist. */
function homeOf({ root, user }: Stage): string {
  const lines = fs.readFileSync(path.join(root, 'etc/passwd'), 'utf8').split('\n');
  return lines.find((line) => line.startsWith(`${user}:`))?.split(':')[5] ?? '/';
}

/** Starts a web and a worker from the root over a PostgreSQL of this machine. */
async function tryOut(stage: Stage): Promise<void> {
  const postgres = await ensurePostgres(fs.mkdtempSync(path.join(place, 'postgres-')), { port: 0 });
  const port = await freePort();
  const secret = () => randomBytes(32).toString('hex');
  const env = {
    DATABASE_URL: postgres.url,
    PORT: String(port),
    PUBLIC_URL: 'https://wirebird.example.com',
    TRUST_PROXY: 'on',
    AUTH_SECRET: secret(),
    KEY_PEPPER: secret(),
    DATA_KEY: secret(),
  };
  const begin = (command: string[]) => {
    const args = inside(stage, ['/bin/sh', '-c', `cd ${stage.workdir} && exec "$0" "$@"`, ...command], env);
    const child = spawn('unshare', args, { stdio: 'inherit' });
    return { child, ended: new Promise<number | null>((resolve) => child.once('exit', resolve)) };
  };
  const parts = ['web', 'worker'].map((part) => begin([...stage.entrypoint, '--only', part]));
  try {
    const until = performance.now() + READY_WITHIN_MS;
    for (;;) {
      const answer = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => null);
      if (answer?.status === 200) break;
      if (parts.some(({ child }) => child.exitCode !== null)) throw new Error('a part has ended on its own');
      if (performance.now() > until) throw new Error('web and worker are not ready');
      await delay(500);
    }
    console.log('\n=== ready; cli doctor:');
    await begin(['node', 'server/cli/main.ts', 'doctor']).ended;
  } finally {
    for (const { child } of parts) child.kill('SIGTERM');
  }
  const codes = await Promise.all(parts.map(({ ended }) => ended));
  await postgres.release();
  if (codes.some((code) => code !== 0)) throw new Error(`they ended with ${codes.join(' and ')}`);
}
