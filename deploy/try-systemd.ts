/**
 * `npm run try:systemd [-- --dir DIR [--stand-ins] [--installed]]`, as root with podman: runs web and worker as services
 * of a real systemd, process 1 of a container, installed as docs/install/systemd.md says. `--dir` and `--stand-ins` are
 * those of `npm run try:container`; `--installed` uses the files in /opt of an earlier run.
 */
import assert from 'node:assert/strict';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { freePort } from '../e2e/stack.ts';
import { onHost } from './debian-root.ts';
import { Customer } from './image/customer.ts';
import { Podman } from './image/podman.ts';
import { makeStandIns } from './image/stand-ins.ts';
import { readPage } from './operations-page.ts';

const ROOT = path.resolve(import.meta.dirname, '..');
const [IMAGE, MACHINE, FILES] = ['wirebird-systemd:try', 'wirebird-try-systemd', 'wirebird-try-systemd-opt'];
const [WEB, WORKER] = ['wirebird-web', 'wirebird-worker'];
const WITHIN_MS = 180_000;
/** The isolation of the units needs mounts; Chromium's sandbox needs namespaces. */
const RIGHTS = ['--systemd=always', '--cap-add', 'SYS_ADMIN', '--security-opt', 'seccomp=unconfined'];

const flag = { type: 'boolean' } as const;
const { values } = parseArgs({ options: { dir: { type: 'string' }, 'stand-ins': flag, installed: flag } });
const place = fs.mkdtempSync(path.join(os.tmpdir(), 'wirebird-systemd-'));
const podman = new Podman(values.dir);
const operations = readPage(fs.readFileSync(path.join(ROOT, 'docs/operations.md'), 'utf8'));
const page = fs.readFileSync(path.join(ROOT, 'docs/install/systemd.md'), 'utf8');
const port = await freePort();

try {
  if (values['stand-ins']) makeStandIns(values.dir ?? place, podman);
  await boot();
  say('installing, up to the build');
  run(between(operations.install, 'useradd', 'git clone'));
  if (!values.installed) run(between(operations.install, 'git clone', 'install -d'));
  await trySettingUp();
  const customer = await Customer.signUp(podman, MACHINE, `http://127.0.0.1:${port}`);
  await customer.sendAgain();
  await tryServices(customer);
} finally {
  podman.remove(MACHINE);
  fs.rmSync(place, { recursive: true, force: true });
}
console.log('\nsystemd starts, restarts and stops web and worker.');

function say(what: string): void {
  console.log(`\n=== ${what}`);
}

/** Runs commands in root's shell on the machine. */
function run(commands: string): string {
  return podman.output('exec', MACHINE, 'bash', '-euc', commands);
}

/** The text of a page between two places, the first one included. */
function between(text: string, from: string, to: string): string {
  const [start, end] = [text.indexOf(from), text.indexOf(to, text.indexOf(from))];
  assert.ok(start >= 0 && end >= 0, `no page has "${from} … ${to}" any more`);
  return text.slice(start, end);
}

async function boot(): Promise<void> {
  onHost('git', 'clone', '--quiet', '--bare', ROOT, path.join(place, 'wirebird.git'));
  const file = path.join(ROOT, 'deploy/image/systemd.Dockerfile');
  podman.show('build', '--format', 'docker', '--network', 'host', '--file', file, '--tag', IMAGE, place);
  podman.remove(MACHINE);
  if (!values.installed) podman.removeVolumes(FILES);
  const mounts = ['--volume', `${place}:/srv:ro`, '--volume', `${FILES}:/opt`];
  podman.output('run', '--detach', '--name', MACHINE, ...RIGHTS, '--network', 'host', ...mounts, IMAGE);
  await until(() => podman.attempt('exec', MACHINE, 'systemctl', 'is-system-running').code === 0);
}

async function trySettingUp(): Promise<void> {
  say('settings, and the first start');
  const postgresPort = await freePort();
  run(`sed -i 's/^port = .*/port = ${postgresPort}/' /etc/postgresql/*/main/postgresql.conf
    systemctl restart postgresql`);
  run(between(page, 'password=', 'systemctl daemon-reload').replace(':5432/', `:${postgresPort}/`));
  // The machine shares this one's ports, and has no phone.
  run(`printf '%s\n' PORT=${port} >>/etc/wirebird/web.env
    printf '%s\n' SANDBOX=on SANDBOX_DIR=/var/lib/wirebird/sandbox | tee -a /etc/wirebird/*.env
    systemd-run --unit sandbox -p User=wirebird -p WorkingDirectory=/opt/wirebird -p EnvironmentFile=/etc/wirebird/worker.env \
      -E WIREBIRD_ENV=production -E DATA_DIR=/var/lib/wirebird/sandbox /opt/wirebird/node_modules/.bin/node server/start/main.ts --only sandbox`);
  const cli = `#!/bin/bash\n${between(page, 'cli() {', 'cli doctor')}"$@"\n`;
  fs.writeFileSync(path.join(place, 'wirebird'), cli, { mode: 0o755 });
  run('cp /srv/wirebird /usr/local/bin');
  const began = performance.now();
  run(between(page, 'systemctl daemon-reload', '\njournalctl'));
  await untilReady();
  console.log(`ready after ${seconds(began)} s`);
  assert.match(log(WEB), /\/setup\?token=/);
  podman.show('exec', MACHINE, 'wirebird', 'cli', 'doctor');
}

async function tryServices(customer: Customer): Promise<void> {
  say('a restart of both: the number is connected without a QR');
  let began = performance.now();
  run(`systemctl restart ${WEB} ${WORKER}`);
  console.log(`stopped and started within ${seconds(began)} s`);
  await untilReady();
  await customer.sendAgain();
  console.log(`the next message was sent ${seconds(began)} s after the command`);

  say('a killed worker is started again');
  began = performance.now();
  run(`systemctl kill --signal=KILL --kill-who=main ${WORKER}`);
  await until(() => property(WORKER, 'NRestarts') === '1');
  await until(() => log(WORKER).split('worker ready').length === 4);
  console.log(`a worker was ready ${seconds(began)} s after the kill`);
  await customer.sendAgain();

  for (const unit of [WEB, WORKER]) {
    say(`a stop of ${unit}`);
    began = performance.now();
    run(`systemctl stop ${unit}`);
    console.log(`stopped within ${seconds(began)} s, of ${property(unit, 'TimeoutStopUSec')}`);
    assert.deepEqual([property(unit, 'Result'), property(unit, 'ActiveState')], ['success', 'inactive']);
    console.log(log(unit).split('\n').slice(-3).join('\n'));
  }
  assert.equal(run('grep -il chrom /proc/[0-9]*/comm || true'), '', 'a browser is left');
}

function log(unit: string): string {
  return run(`journalctl --no-pager -u ${unit}`);
}

function property(unit: string, name: string): string {
  return run(`systemctl show --value -p ${name} ${unit}`);
}

function seconds(began: number): string {
  return ((performance.now() - began) / 1000).toFixed(1);
}

async function untilReady(): Promise<void> {
  const address = `http://127.0.0.1:${port}/readyz`;
  await until(async () => (await fetch(address).catch(() => null))?.status === 200);
  for (const unit of [WEB, WORKER]) assert.equal(property(unit, 'ActiveState'), 'active');
}

async function until(holds: () => boolean | Promise<boolean>): Promise<void> {
  for (const began = performance.now(); !(await holds()); await delay(200))
    if (performance.now() - began > WITHIN_MS)
      throw new Error(`not so: ${holds}\n${run('journalctl -n 60')}`);
}
