/**
 * `npm run try:container`, with podman: builds the image and uses it as an operator does. One container starts, links a
 * sandbox number, sends every kind, stops, starts again, crashes, is backed up, restored in a second one, and upgraded.
 * Then web and worker in a container each, from the slim image.
 */
import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { ensurePostgres } from '#server/platform/embedded/postgres.ts';
import { SECRET_NAMES, SECRET_VARIABLES } from '#server/platform/secrets.ts';
import { freePort } from '../e2e/stack.ts';
import { Customer } from './image/customer.ts';
import { Podman } from './image/podman.ts';
import { makeStandIns } from './image/stand-ins.ts';

const ROOT = path.resolve(import.meta.dirname, '..');
const PROFILE = path.join(ROOT, 'deploy/seccomp.json');
const [FULL, SLIM] = ['wirebird:try', 'wirebird:try-slim'];
const IMAGE_MB_MAX = 900;
const ANSWERED_WITHIN_MS = 240_000;
/** Docker and podman kill a container that has not stopped by then. */
const STOP_SECONDS_MAX = 10;
const [FIRST, SECOND, WEB, WORKER] = ['first', 'second', 'web', 'worker'].map(
  (name) => `wirebird-try-${name}`,
);
const CONTAINERS = [FIRST, SECOND, WEB, WORKER] as string[];
const CHROMIUM = ['--security-opt', `seccomp=${PROFILE}`];

const { values } = parseArgs({
  options: {
    // Where podman keeps its images.
    dir: { type: 'string' },
    // Makes the base images, as root with debootstrap, where no image registry can be reached.
    'stand-ins': { type: 'boolean' },
    // An image that is already built.
    image: { type: 'string' },
    // Another processor, such as arm64: needs qemu-user-static, in which Chromium does not run, so only web is started.
    arch: { type: 'string' },
    // The image from which to upgrade.
    before: { type: 'string' },
  },
});
const place = fs.mkdtempSync(path.join(os.tmpdir(), 'wirebird-container-'));
const podman = new Podman(values.dir);
const image = values.image ?? FULL;
const before = values.before ?? image;

try {
  if (values['stand-ins']) makeStandIns(values.dir ?? place, podman, values.arch);
  if (values.image === undefined) build();
  if (!values.arch) await tryOneContainer();
  await trySeparate();
} finally {
  podman.remove(...CONTAINERS);
  podman.removeVolumes(...CONTAINERS);
  fs.rmSync(place, { recursive: true, force: true });
}
console.log(
  values.arch
    ? `\nThe images for ${values.arch} are built, and web runs.`
    : '\nThe image runs everything in one container, and web and worker apart.',
);

function say(what: string): void {
  console.log(`\n=== ${what}`);
}

function build(): void {
  for (const [name, target] of [
    [FULL, 'full'],
    [SLIM, 'slim'],
  ] as const) {
    say(`building ${target}`);
    const how = ['--format', 'docker', '--network', 'host', '--file', path.join(ROOT, 'deploy/Dockerfile')];
    const forArch = values.arch ? ['--arch', values.arch] : [];
    podman.show('build', ...how, ...forArch, '--target', target, '--tag', name, ROOT);
    const megabytes = Number(podman.output('image', 'inspect', '--format', '{{.Size}}', name)) / 1e6;
    console.log(`${name}: ${Math.round(megabytes)} MB`);
    assert.ok(megabytes <= IMAGE_MB_MAX, `${name} is larger than ${IMAGE_MB_MAX} MB`);
  }
}

async function tryOneContainer(): Promise<void> {
  say('a refusal without secrets');
  const environment = {
    HOST: '127.0.0.1',
    PORT: String(await freePort()),
    PUBLIC_URL: 'https://wirebird.example.com',
    TRUST_PROXY: 'on',
    SANDBOX: 'on',
  };
  const generating = { ...environment, WIREBIRD_SECRETS: 'generate' };
  const refused = podman.attempt('run', '--rm', ...podman.arguments({ image, environment }));
  assert.equal(refused.code, 1, refused.said);
  assert.match(refused.said, /AUTH_SECRET is not set, and in production no secret is made automatically/);

  say('a refusal where Chromium may make no namespaces, as with Docker’s own profile');
  const confined = {
    image,
    environment: generating,
    options: ['--security-opt', `seccomp=${withoutNamespaces()}`],
  };
  const unable = podman.attempt('run', '--rm', ...podman.arguments(confined));
  assert.equal(unable.code, 1, unable.said);
  assert.match(unable.said, /worker failed to start: .+ a seccomp profile for Chromium/);

  say('the first start, and a sandbox number');
  const one = String(FIRST);
  const begin = async (from = image) => {
    podman.start(one, { image: from, volume: one, environment: generating, options: CHROMIUM });
    console.log(`ready after ${(await podman.untilHealthy(one)).toFixed(1)} s`);
  };
  await begin(before);
  podman.show('exec', one, 'wirebird', 'cli', 'doctor'); // fails if a check finds a problem
  const customer = await Customer.signUp(podman, one, `http://127.0.0.1:${environment.PORT}`);
  await customer.sendEvery();

  say('a stop within the default time, and a start: the number is connected without a QR');
  stopCleanly(one);
  podman.output('start', one);
  await podman.untilHealthy(one);
  await customer.sendAgain();

  say('a stop while a message waits for its acknowledgement');
  const id = await customer.beginToSend();
  stopCleanly(one);
  podman.output('start', one);
  await podman.untilHealthy(one);
  await customer.untilStatus(id, 'unknown');

  say('a crash of the whole container');
  podman.output('kill', '--signal', 'KILL', one);
  podman.output('wait', one);
  podman.output('start', one);
  await podman.untilHealthy(one);
  await customer.sendAgain();

  say(before === image ? 'a new container on the same volume' : `an upgrade from ${before}`);
  stopCleanly(one);
  await begin();
  await customer.sendAgain();

  await tryRestore(one, environment);
  stopCleanly(one);
}

/** The profile, with new user namespaces forbidden too. */
function withoutNamespaces(): string {
  const profile = JSON.parse(fs.readFileSync(PROFILE, 'utf8'));
  const newUser = { index: 0, value: 0x1000_0000, valueTwo: 0x1000_0000, op: 'SCMP_CMP_MASKED_EQ' };
  profile.syscalls.push({
    names: ['clone', 'unshare'],
    action: 'SCMP_ACT_ERRNO',
    errnoRet: 1,
    args: [newUser],
  });
  const file = path.join(place, 'without-namespaces.json');
  fs.writeFileSync(file, JSON.stringify(profile));
  return file;
}

/** A backup of one container, restored in another one with the same secrets. */
async function tryRestore(one: string, environment: Record<string, string>): Promise<void> {
  say('a backup, and its restore in a second container');
  const two = String(SECOND);
  podman.cli(one, 'backup', '/data/wirebird.backup', '--json');
  const handed = path.join(place, 'handed');
  fs.mkdirSync(handed);
  podman.output('cp', `${one}:/data/wirebird.backup`, handed);
  // Only its owner may read it, and the container has another user.
  fs.chmodSync(path.join(handed, 'wirebird.backup'), 0o644);
  const secrets = Object.fromEntries(
    SECRET_NAMES.map((name) => [
      SECRET_VARIABLES[name],
      podman.output('exec', one, 'cat', `/data/secrets/${name}`),
    ]),
  );
  const accounts = podman.cli<object[]>(one, 'account', 'list');
  const given = {
    image,
    volume: two,
    environment: { ...environment, ...secrets, PORT: String(await freePort()) },
    options: CHROMIUM,
  };
  const command = ['cli', 'restore', '/restore/wirebird.backup'];
  const options = [...CHROMIUM, '--volume', `${handed}:/restore:ro`];
  podman.output('run', '--rm', ...podman.arguments({ ...given, options, command }));
  podman.start(two, given);
  await podman.untilHealthy(two);
  // After a restore each number is linked again.
  const unlinked = accounts.map((account) => ({ ...account, connected: 0 }));
  assert.deepEqual(podman.cli(two, 'account', 'list'), unlinked);
  stopCleanly(two);
}

/** Web and worker from the slim image, over a PostgreSQL of this machine. */
async function trySeparate(): Promise<void> {
  say('web and worker in a container each, from the slim image');
  const postgres = await ensurePostgres(path.join(place, 'postgres'), { port: 0 });
  try {
    const secrets = Object.values(SECRET_VARIABLES).map((name) => [name, randomBytes(32).toString('hex')]);
    const environment = {
      ...Object.fromEntries(secrets),
      HOST: '127.0.0.1',
      PORT: String(await freePort()),
      PUBLIC_URL: 'https://wirebird.example.com',
      TRUST_PROXY: 'on',
    };
    const without = podman.attempt(
      'run',
      '--rm',
      ...podman.arguments({ image: SLIM, environment, options: CHROMIUM }),
    );
    assert.match(without.said, /no embedded PostgreSQL .+ set DATABASE_URL/i);
    const shared = { image: SLIM, environment: { ...environment, DATABASE_URL: postgres.url } };
    if (!values.arch)
      podman.start(String(WORKER), {
        ...shared,
        volume: String(WORKER),
        options: CHROMIUM,
        command: ['worker'],
      });
    podman.start(String(WEB), { ...shared, command: ['web'] });
    // Under emulation the health check takes longer than it may.
    if (values.arch) await untilAnswered(`http://127.0.0.1:${environment.PORT}/docs`);
    else await podman.untilHealthy(String(WEB));
    for (const part of values.arch ? [WEB] : [WEB, WORKER]) stopCleanly(String(part));
  } finally {
    await postgres.release();
  }
}

async function untilAnswered(url: string): Promise<void> {
  const until = performance.now() + ANSWERED_WITHIN_MS;
  while (!(await fetch(url).catch(() => null))?.ok) {
    assert.ok(performance.now() < until, `${url} is not answered`);
    await delay(500);
  }
}

function stopCleanly(name: string): void {
  const { seconds, code } = podman.stop(name);
  console.log(`${name} stopped within ${seconds.toFixed(1)} s`);
  assert.equal(code, 0, `${name} ended with ${code}:\n${podman.logs(name)}`);
  assert.ok(seconds < STOP_SECONDS_MAX, `${name} took ${seconds} s to stop`);
}
