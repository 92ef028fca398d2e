/**
 * `npm run try:compose [-- --dir DIR [--stand-ins] [--image IMAGE]]`, as root with podman-compose, netavark,
 * aardvark-dns and iptables: runs deploy/compose.yaml as it stands, with a simulated WhatsApp beside it, sends
 * through both web processes, and restarts web and worker one after another while messages are posted to Caddy.
 * `--dir` and `--stand-ins` are those of `npm run try:container`; `--image` is an image that is already built from target slim.
 */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import tls from 'node:tls';
import { parseArgs } from 'node:util';
import { parse } from 'yaml';
import { makeServerStandIns } from './image/compose/stand-ins.ts';
import { Customer } from './image/customer.ts';
import { Podman } from './image/podman.ts';
import { makeStandIns } from './image/stand-ins.ts';

const FILE = path.join(import.meta.dirname, 'compose.yaml');
const SANDBOX = path.join(import.meta.dirname, 'image/compose/sandbox.yaml');
const PARTS = ['web2', 'web1', 'worker1', 'worker2'];
const PROJECT = 'wirebird';
const TO = '4915228817386';
/** An account may send 120 requests a minute. */
const PAUSE_MS = 1000;
/** Not sent, and to be repeated with the same key: too many requests, Caddy's error, a web process that stops. */
const REPEATED = [429, 502, 503];
const WITHIN_MS = 240_000;
/** Between two restarts, in which the restarted part takes over work. */
const SETTLE_MS = 5000;

const { values } = parseArgs({
  options: {
    dir: { type: 'string' },
    'stand-ins': { type: 'boolean' },
    image: { type: 'string' },
  },
});
const place = fs.mkdtempSync(path.join(os.tmpdir(), 'wirebird-compose-'));
const podman = new Podman(values.dir, { networks: true });
const secrets = ['POSTGRES_PASSWORD', 'AUTH_SECRET', 'KEY_PEPPER', 'DATA_KEY'];
const environment = {
  // Caddy makes its own certificate for this name.
  DOMAIN: 'localhost',
  ...Object.fromEntries(secrets.map((name) => [name, randomBytes(32).toString('hex')])),
};
interface Service {
  stop_grace_period: string;
  healthcheck: { test: string[] };
}
const services: Record<string, Service> = parse(fs.readFileSync(FILE, 'utf8'), { merge: true }).services;
try {
  if (values['stand-ins']) {
    makeStandIns(values.dir ?? place, podman);
    makeServerStandIns(path.join(values.dir ?? place, 'servers'), podman);
  }
  if (values.image) podman.output('tag', values.image, 'localhost/wirebird');
  compose('down', '--volumes');
  say('the first start');
  const began = performance.now();
  compose('up', '--detach', ...(values.image ? ['--no-build'] : []));
  for (const part of PARTS) await untilHealthy(part);
  console.log(`all healthy after ${since(began)} s`);
  await tryMessages();
} catch (error) {
  for (const part of [...PARTS, 'postgres', 'caddy', 'sandbox'])
    console.log(`=== ${part}\n${podman.logs(named(part))}`);
  throw error;
} finally {
  compose('down', '--volumes');
  fs.rmSync(place, { recursive: true, force: true });
}
console.log('\nCompose runs two web and two worker processes, and replaces each without a lost message.');

function say(what: string): void {
  console.log(`\n=== ${what}`);
}

function compose(...args: string[]): void {
  podman.compose(environment, '-p', PROJECT, '-f', FILE, '-f', SANDBOX, ...args);
}

function named(part: string): string {
  return `${PROJECT}_${part}_1`;
}

function since(began: number): string {
  return ((performance.now() - began) / 1000).toFixed(1);
}

/** Waits for the file's own health check, which podman-compose 1.0 does not pass on correctly. */
async function untilHealthy(part: string): Promise<void> {
  const [, ...command] = services[part]?.healthcheck.test ?? [];
  const until = performance.now() + WITHIN_MS;
  for (;;) {
    const healthy = await podman.run('exec', named(part), ...command).then(
      () => true,
      () => false,
    );
    if (healthy) return;
    if (performance.now() > until) throw new Error(`${part} is not healthy:\n${podman.logs(named(part))}`);
    await delay(500);
  }
}

async function tryMessages(): Promise<void> {
  say('a message through each web process');
  const direct = (part: string) => {
    const format = '{{range .NetworkSettings.Networks}}{{.IPAddress}}{{end}}';
    return `http://${podman.output('inspect', '--format', format, named(part))}:3000`;
  };
  const customer = await Customer.signUp(podman, named('worker1'), direct('web1'));
  await customer.sendAgain();
  await customer.at(direct('web2')).sendAgain();

  say('a rolling restart while messages are posted to Caddy');
  podman.output('cp', `${named('caddy')}:/data/caddy/pki/authorities/local/root.crt`, place);
  tls.setDefaultCACertificates([
    ...tls.getCACertificates('default'),
    fs.readFileSync(path.join(place, 'root.crt'), 'utf8'),
  ]);
  const through = customer.at(`https://${environment.DOMAIN}`);
  await through.sendAgain();
  const traffic = post(through);
  for (const part of PARTS) {
    await delay(SETTLE_MS);
    await restart(part);
  }
  await delay(SETTLE_MS);
  const posted = await traffic.end();
  const failed = posted.filter(({ status }) => status !== 200 && status !== 202);
  const repeated = posted.filter(({ repeats }) => repeats > 0).length;
  const slowest = Math.max(...posted.map(({ ms }) => ms));
  console.log(`${posted.length} posted, ${repeated} repeated, the slowest within ${slowest} ms`);
  const bodies = posted.map(({ body }) => body);
  await untilArrived(customer, bodies);
  await delay(SETTLE_MS); // a second copy would come by then
  const arrived = customer.inbox().map(({ body }) => body);
  const doubled = bodies.filter((body) => arrived.indexOf(body) !== arrived.lastIndexOf(body));
  const lost = bodies.filter((body) => !arrived.includes(body));
  assert.deepEqual({ doubled, lost, failed }, { doubled: [], lost: [], failed: [] });
}

/** Waits until all of these have arrived, or {@link WITHIN_MS} have passed. */
async function untilArrived(customer: Customer, bodies: string[]): Promise<void> {
  for (const until = performance.now() + WITHIN_MS; performance.now() < until; await delay(1000)) {
    const arrived = customer.inbox().map(({ body }) => body);
    if (bodies.every((body) => arrived.includes(body))) return;
  }
}

/** Stops a part within the file's own time, and starts it again. */
async function restart(part: string): Promise<void> {
  const name = named(part);
  const graceSeconds = Number.parseInt(String(services[part]?.stop_grace_period), 10);
  const began = performance.now();
  await podman.run('stop', '--time', String(graceSeconds), name);
  const stopped = since(began);
  const code = await podman.run('inspect', '--format', '{{.State.ExitCode}}', name);
  assert.equal(code, '0', `${part} ended with ${code}:\n${podman.logs(name)}`);
  await podman.run('start', name);
  const started = performance.now();
  await untilHealthy(part);
  console.log(`${part} stopped within ${stopped} s, healthy ${since(started)} s after its start`);
}

interface Posted {
  body: string;
  status: number;
  /** How often it was repeated. */
  repeats: number;
  ms: number;
}

/** Posts a text every {@link PAUSE_MS}, in both lanes in turn, until its end is asked for. */
function post(customer: Customer): { end(): Promise<Posted[]> } {
  const answers: Promise<Posted>[] = [];
  const timer = setInterval(() => answers.push(postOne(customer, answers.length)), PAUSE_MS);
  return {
    async end() {
      clearInterval(timer);
      return await Promise.all(answers);
    },
  };
}

/** Repeats a request as a caller does. Up to Caddy 2.11, one whose first web process has just stopped gets a 502. */
async function postOne(customer: Customer, n: number): Promise<Posted> {
  const body = `rolling ${n}`;
  const began = performance.now();
  for (let repeats = 0; ; repeats++) {
    const status = await customer.sendText(TO, body, n % 2 === 0 ? 'sync' : 'async').catch(() => 0);
    if (!REPEATED.includes(status))
      return { body, status, repeats, ms: Math.round(performance.now() - began) };
    await delay(PAUSE_MS);
  }
}
