/**
 * `npm run try:operations [-- --dir DIR [--installed]]`: runs the commands of docs/operations.md for one
 * machine in two Debian 13 roots, as root on Linux with debootstrap. docs/operations.md says what it replaces
 * and leaves out. `--installed` reuses the installed root of an earlier run in DIR.
 */
import { spawnSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { freePort } from '../e2e/stack.ts';
import { inRoot, makeDebian, onHost } from './debian-root.ts';
import { NOT_RUN, readPage } from './operations-page.ts';

const ROOT = path.resolve(import.meta.dirname, '..');
const SUITE = 'trixie';
const READY_WITHIN_MS = 180_000;
const EMAIL = 'owner@example.com';
const { values } = parseArgs({ options: { dir: { type: 'string' }, installed: { type: 'boolean' } } });
if (process.getuid?.() !== 0) throw new Error('debootstrap and mounts need root: run it as root.');
const place = values.dir ?? fs.mkdtempSync(path.join(os.tmpdir(), 'wirebird-operations-'));
fs.mkdirSync(place, { recursive: true });

/** A machine of the page: a root, and the address of its product. */
interface Machine {
  root: string;
  port: number;
}

const page = readPage(fs.readFileSync(path.join(ROOT, 'docs/operations.md'), 'utf8'));
const { cli } = page;

const base = path.join(place, 'base');
if (!fs.existsSync(path.join(base, 'ready'))) makeBase();
const old = { root: path.join(place, 'old'), port: await freePort() };
const [beforeStart, start] = split(page.install, 'systemctl daemon-reload');
if (!values.installed) {
  say('installing, up to the first start');
  makeMachine(old);
  run(old, beforeStart);
}
giveOwnPort(old);

say('a second machine, installed as the first, with the same secrets');
const fresh = { root: path.join(place, 'fresh'), port: await freePort() };
fs.rmSync(fresh.root, { recursive: true, force: true });
onHost('cp', '-a', old.root, fresh.root);
giveOwnPort(fresh);

try {
  say('the first start');
  run(old, start);
  await untilReady(old);
  run(old, cli, { mayFail: true });
  const found = runCli(old, 'cli doctor --json', { mayFail: true });
  for (const check of ['database', 'migrations', 'disk', 'browser', 'clock', 'workers'])
    if (!new RegExp(`"check":"${check}","ok":true`).test(found.replaceAll(/\s/g, '')))
      throw new Error(`doctor says no about ${check}`);
  runCli(old, `cli account create --email ${EMAIL} --password 'a kingfisher dives at dusk' --admin`);

  say('a backup, and its restore on the second machine');
  const [backUp, restore] = split(page.backUpAndRestore, '# on an empty machine');
  runCli(old, backUp);
  handOver('/var/backups/wirebird');
  runCli(fresh, withNames(fresh, restore));
  runCli(fresh, 'systemctl start wirebird');
  await untilReady(fresh);
  expectAccount(fresh);

  say('the proxy’s configuration');
  fs.writeFileSync(path.join(old.root, 'etc/caddy/Caddyfile'), page.caddyfile);
  run(old, 'caddy validate --adapter caddyfile --config /etc/caddy/Caddyfile');

  say('an upgrade');
  run(old, commitUpstream());
  runCli(old, page.upgrade, { mayFail: true }); // doctor exits with 1 because the mail server does not exist
  await untilReady(old);

  say('the way back');
  runCli(old, 'cli account create --email later@example.com --password "a kingfisher dives at dusk"');
  runCli(old, withNames(old, page.goBack));
  await untilReady(old);
  expectAccount(old);
  if (runCli(old, 'cli account list').includes('later@example.com')) throw new Error('nothing went back');

  say('a move');
  runCli(old, page.move);
  handOver('/var/backups/wirebird');
  runCli(fresh, 'systemctl stop wirebird\ncli restore /var/backups/wirebird/move.backup --replace');
  runCli(fresh, 'systemctl start wirebird');
  await untilReady(fresh);
  expectAccount(fresh);
  runCli(old, 'systemctl start wirebird');
  await untilLogged(old, /This installation was moved at/);
} finally {
  for (const one of [old, fresh]) run(one, 'systemctl stop wirebird', { mayFail: true });
}
for (const [begins, why] of NOT_RUN) console.log(`not run: ${begins} … (${why})`);
console.log(`\nThe commands went through. Roots are in ${place}.`);

function say(what: string): void {
  console.log(`\n=== ${what}`);
}

/** The text before a word, and the text from it on. */
function split(text: string, at: string): [string, string] {
  const index = text.indexOf(at);
  if (index < 0) throw new Error(`"${at}" is not on the page any more`);
  return [text.slice(0, index), text.slice(index)];
}

/** A minimal Debian, with the replacements for systemd. */
function makeBase(): void {
  makeDebian(base, SUITE);
  // As in a container, no service starts while packages are installed.
  fs.writeFileSync(path.join(base, 'usr/sbin/policy-rc.d'), '#!/bin/sh\nexit 101\n', { mode: 0o755 });
  const stand = path.join(ROOT, 'deploy/stand-in');
  for (const name of fs.readdirSync(stand)) {
    fs.copyFileSync(path.join(stand, name), path.join(base, 'usr/local/sbin', name));
    fs.chmodSync(path.join(base, 'usr/local/sbin', name), 0o755);
  }
  run(
    { root: base, port: 0 },
    'apt-get update && apt-get install -y --no-install-recommends ca-certificates',
  );
  fs.writeFileSync(path.join(base, 'ready'), '');
}

/** A separate root, with this checkout as the page’s repository. */
function makeMachine({ root }: Machine): void {
  fs.rmSync(root, { recursive: true, force: true });
  onHost('cp', '-a', base, root);
  onHost('git', 'clone', '--quiet', '--bare', ROOT, path.join(root, 'srv/wirebird.git'));
  const git =
    '[url "/srv/wirebird.git"]\n\tinsteadOf = https://YOUR-GIT-HOST/wirebird.git\n[safe]\n\tdirectory = *\n';
  fs.writeFileSync(path.join(root, 'etc/gitconfig'), git);
}

/** Other programs use this machine’s ports too. */
function giveOwnPort({ root, port }: Machine): void {
  const file = path.join(root, 'etc/wirebird/wirebird.env');
  const lines = fs.readFileSync(file, 'utf8').split('\n');
  const own = lines.filter((line) => line !== '' && !/^(PORT|METRICS_PORT)=/.test(line));
  fs.writeFileSync(file, `${[...own, `PORT=${port}`].join('\n')}\n`);
}

/** A commit to upgrade to. */
function commitUpstream(): string {
  return `rm -rf /tmp/next && git clone --quiet /srv/wirebird.git /tmp/next && cd /tmp/next && echo >>README.md &&
    git -c user.name=x -c user.email=x@example.com commit --quiet -am 'docs: a line' && git push --quiet origin HEAD`;
}

/** Runs commands as the page’s reader does: in root's shell on the machine. Returns their output. */
function run({ root }: Machine, commands: string, { mayFail = false } = {}): string {
  console.log(commands.trimEnd().replaceAll(/^/gm, '# '));
  // `set -e` ignores failures inside `a && b`.
  const strict = `set -o pipefail; trap 'code=$?; [ $code = 0 ] || exit $code' DEBUG\n${commands}`;
  const shell = ['bash', '-c', mayFail ? commands : strict];
  const { status, stdout } = spawnSync('unshare', inRoot(root, {}, shell), {
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'inherit'],
    maxBuffer: 64 * 1024 * 1024,
  });
  console.log(stdout.split('\n').slice(-12).join('\n'));
  if (status !== 0 && !mayFail) throw new Error(`it ended with ${status}`);
  return stdout;
}

/** As {@link run}, with the page’s `cli` function. */
function runCli(on: Machine, commands: string, options?: { mayFail?: boolean }): string {
  return run(on, `${cli.replace(/^cli doctor$/m, '')}\n${commands}`, options);
}

/** The names on the page contain an example date. */
function withNames({ root }: Machine, commands: string): string {
  return commands.replaceAll(/\/var\/backups\/wirebird\/(before-)?2026-[\d-]+\.backup/g, (_, before = '') => {
    const name = fs
      .readdirSync(path.join(root, 'var/backups/wirebird'))
      .filter((one) => new RegExp(`^${before}\\d[\\d-]+\\.backup$`).test(one))
      .sort()
      .at(-1);
    return `/var/backups/wirebird/${name}`;
  });
}

/** Copies a file from one machine to the other, as the reader does. */
function handOver(directory: string): void {
  fs.rmSync(path.join(fresh.root, directory), { recursive: true, force: true });
  onHost('cp', '-a', path.join(old.root, directory), path.join(fresh.root, directory));
}

function expectAccount(on: Machine): void {
  if (!runCli(on, 'cli account list').includes(EMAIL)) throw new Error('the account did not come back');
}

async function untilReady({ port, root }: Machine): Promise<void> {
  const until = performance.now() + READY_WITHIN_MS;
  for (;;) {
    const answer = await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => null);
    if (answer?.status === 200) return;
    if (performance.now() > until)
      throw new Error(
        `not ready: ${fs.readFileSync(path.join(root, 'var/log/wirebird.log'), 'utf8').slice(-2000)}`,
      );
    await delay(500);
  }
}

async function untilLogged({ root }: Machine, line: RegExp): Promise<void> {
  const until = performance.now() + READY_WITHIN_MS;
  while (!line.test(fs.readFileSync(path.join(root, 'var/log/wirebird.log'), 'utf8'))) {
    if (performance.now() > until) throw new Error(`the log does not say ${line}`);
    await delay(500);
  }
}
