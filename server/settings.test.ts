import fs from 'node:fs';
import path from 'node:path';
import { expect, test, vi } from 'vitest';
import {
  misspeltSettings,
  parseSettings,
  SETTING_NAMES,
  SettingsError,
  settingsInForce,
  startedEnvironment,
} from './settings.ts';

const SECRETS = {
  DATABASE_URL: 'postgres://bird:hunter2@db.example:5432/wirebird',
  SMTP_URL: 'smtp://bird:hunter2@mail.example:587',
  AUTH_SECRET: 'planted-auth-secret-'.repeat(3),
  KEY_PEPPER: 'planted-key-pepper-'.repeat(3),
  DATA_KEY: 'planted-data-key-'.repeat(3),
};
const of = (env: Record<string, string>, name: string) =>
  settingsInForce(env).find((setting) => setting.name === name);

test('the settings in force show their values and where they come from', () => {
  expect(of({ GRACE_DAYS: '5' }, 'GRACE_DAYS')).toEqual({
    ...{ name: 'GRACE_DAYS', value: '5', secret: false, source: 'environment' },
  });
  expect(of({}, 'GRACE_DAYS')).toMatchObject({ value: '3', source: 'default' });
  // The start passes on defaults as variables; nobody set those.
  expect(of({ PORT: '3000' }, 'PORT')).toMatchObject({ value: '3000', source: 'default' });
  expect(of({ PORT: '8080' }, 'PUBLIC_URL')).toMatchObject({
    value: 'http://localhost:8080',
    source: 'default',
  });
  expect(of({ WIREBIRD_ENV: 'production' }, 'SANDBOX')).toMatchObject({ value: 'off' });
  expect(of({}, 'MEDIA_PORTS')).toMatchObject({ value: '80, 443, 8080, 8443' });
  expect(of({ CHROMIUM_PATH: '' }, 'CHROMIUM_PATH')).toMatchObject({ value: null, source: 'default' });
});

test.each([
  'postgres://wb:p#ss@db/wb',
  'postgres://wb@/wb?host=/run/postgresql',
  'postgres://wb@db1:5432,db2:5432/wb',
  'db/wb',
])('DATABASE_URL=%s is one line with the form of the URL, without the password', (url) => {
  expect(() => parseSettings({ DATABASE_URL: url })).toThrow(
    new SettingsError(
      'DATABASE_URL must be a URL such as postgres://USER:PASSWORD@HOST:5432/NAME. Write special characters of the password as their codes, such as %23 for #. Correct it, or remove it to use the default.',
    ),
  );
});

test('an unknown sslmode in DATABASE_URL is refused, and those of libpq are accepted', () => {
  const withMode = (mode: string) => () =>
    parseSettings({ DATABASE_URL: `postgres://wb@db/wb?sslmode=${mode}` });
  for (const mode of ['disable', 'allow', 'prefer', 'require', 'verify-ca', 'verify-full'])
    expect(withMode(mode)).not.toThrow();
  expect(withMode('verify_full')).toThrow(
    new SettingsError(
      'DATABASE_URL has an unknown sslmode. Use disable, require or verify-full. Correct it, or remove it to use the default.',
    ),
  );
});

test('a value that npm start gives to its processes is not shown as set by somebody', () => {
  const passed = {
    DATA_DIR: '/srv/data',
    DATABASE_URL: SECRETS.DATABASE_URL,
    PORT: '3001',
    DRAIN_SECONDS: '8',
  };
  const sourcesFor = (own: Record<string, string>) => {
    const env = startedEnvironment(passed, own as NodeJS.ProcessEnv);
    return Object.keys(passed).map((name) => of(env as Record<string, string>, name)?.source);
  };
  expect(sourcesFor({})).toEqual(['start', 'start', 'start', 'start']);
  expect(sourcesFor({ ...passed, DATA_DIR: 'data' })).toEqual(Array(4).fill('environment'));
  expect(misspeltSettings(startedEnvironment(passed, {} as NodeJS.ProcessEnv))).toEqual([]);
  // A limit that the start lowers is no longer the one that was set.
  expect(sourcesFor({ ...passed, DRAIN_SECONDS: '60' }).at(-1)).toBe('start');
});

test('they contain no secret or part of one', () => {
  const shown = settingsInForce({ ...SECRETS, MAIL_FROM: 'alerts@example.com' });
  for (const name of Object.keys(SECRETS))
    expect(shown.find((setting) => setting.name === name)).toEqual({
      ...{ name, value: null, secret: true, source: 'environment' },
    });
  expect(JSON.stringify(shown)).not.toMatch(/planted|hunter2|db\.example|mail\.example/);
  expect(of({}, 'DATA_KEY')).toMatchObject({ value: null, source: 'default' });
});

/** The error of each setting for a value that no setting accepts. */
function refusalOf(name: string, value: string): string {
  try {
    parseSettings({ MAIL_FROM: 'alerts@example.com', [name]: value });
    return '';
  } catch (error) {
    return (error as Error).message;
  }
}

test('a wrong setting is refused with its name and what it must be, without parser text', () => {
  const said = SETTING_NAMES.map((name) => [name, refusalOf(name, '\u0000 no')] as const);
  for (const [name, line] of said) {
    if (line === '') continue;
    expect(line).toMatch(
      new RegExp(`^${name}( is ".*": it)? must be.+\\. Correct it, or remove it|^${name} must have`),
    );
    expect(line).not.toMatch(/NaN|nvalid|expected|received|Too |undefined/);
  }
  expect(refusalOf('PORT', 'http')).toBe(
    'PORT is "http": it must be a whole number from 0 to 65535. Correct it, or remove it to use the default.',
  );
  expect(refusalOf('SIGN_UP', 'no')).toMatch(/^SIGN_UP is "no": it must be open or closed\. /);
  expect(refusalOf('LOG_LEVEL', 'all')).toContain('it must be trace, debug, info, warn, error or silent. ');
  expect(refusalOf('MEDIA_PORTS', '80,https')).toMatch(
    /it must be ports from 1 to 65535, separated by commas/,
  );
});

test.each([
  ['PORT', '0x50'],
  ['RATE_SENDS_PER_MINUTE', '1e3'],
  ['QUEUE_ASYNC_MAX', '1,000'],
  ['GRACE_DAYS', '-1'],
  ['MEDIA_PORTS', ','],
  ['MEDIA_PORTS', '80,0x50'],
  ['MEDIA_ALLOW_HOSTS', 'files.lan:99999'],
  ['WEBHOOK_ALLOW_HOSTS', 'hooks.lan:0'],
  ['WHATSAPP_BUILD', 'lastest'],
  ['SMTP_URL', 'smtp://'],
  ['SMTP_URL', 'smtp://bird:pa#ss@mail.example'],
  ['SMTP_URL', 'smtp://bird:pa ss@mail.example'],
  // Every page and link is at the root of the host.
  ['PUBLIC_URL', 'https://example.com/wirebird'],
  ['PUBLIC_URL', 'https://bird:hunter2@example.com'],
  ['PUBLIC_URL', 'https://example.com/?lang=de'],
])('%s=%s is refused', (name, value) => {
  expect(refusalOf(name, value)).toMatch(new RegExp(`^${name} .*must be `));
});

test('a blank value means that the setting is not set', () => {
  for (const name of SETTING_NAMES)
    for (const blank of ['', ' ', '\t\n'])
      expect(parseSettings({ [name]: blank }), `${name}="${blank}"`).toEqual(parseSettings({}));
});

test('spaces around a whole number are ignored', () => {
  expect(parseSettings({ PORT: ' 8080 ', MEDIA_PORTS: '80, 443' })).toMatchObject({
    port: 8080,
    mediaPorts: [80, 443],
  });
});

const page = (file: string) => fs.readFileSync(path.join(import.meta.dirname, '..', file), 'utf8');
const SETTINGS_PAGE = page('docs/configuration.md');
const README = page('README.md');

/** Each setting in the tables of a document, with the default that is written there. */
function documentedIn(text: string): { name: string; given: string }[] {
  return (text.match(/^\| `[A-Z][A-Z_]+`.*\|$/gm) ?? []).flatMap((row) => {
    const [names = '', defaults = ''] = row.split('|').slice(1);
    const named = [...names.matchAll(/`([A-Z_]+)`/g)].map(([, name = '']) => name);
    // A comma inside a value belongs to it.
    const given = defaults.match(/(`[^`]*`|[^`,])+/g)?.map((part) => part.trim()) ?? [];
    return named.map((name, at) => ({ name, given: given[at] ?? given[0] ?? '' }));
  });
}

test('the page of settings names each setting of an operator', () => {
  const ofTests = (name: string) => name.startsWith('SANDBOX_') && name !== 'SANDBOX_DIR';
  expect(
    documentedIn(SETTINGS_PAGE)
      .map(({ name }) => name)
      .sort(),
  ).toEqual(SETTING_NAMES.filter((name) => !ofTests(name)).sort());
});

test('the README and the page of settings name the real defaults', () => {
  expect(documentedIn(README)).toHaveLength(8);
  const real = new Map(settingsInForce({}).map(({ name, value }) => [String(name), value]));
  for (const { name, given } of [...documentedIn(README), ...documentedIn(SETTINGS_PAGE)]) {
    expect([...real.keys()]).toContain(name);
    if (name === 'TIME_ZONE') continue;
    const value = (real.get(name) ?? null)?.replaceAll(', ', ',') ?? null;
    const written = /^`(.*?)`/.exec(given)?.[1]?.replace('PORT', '3000') ?? null;
    expect(value, name).toBe(name === 'DATA_DIR' ? path.resolve(written ?? '') : written);
  }
});

test('the time zone of the machine is the default, and one that is none is named', () => {
  const zoneWith = (TZ: string | undefined, given = {}) => {
    vi.stubEnv('TZ', TZ);
    try {
      return parseSettings({ TZ, ...given }).timeZone;
    } finally {
      vi.unstubAllEnvs();
    }
  };
  expect(zoneWith('America/Sao_Paulo')).toBe('America/Sao_Paulo');
  expect(zoneWith(':Europe/Berlin')).toBe('Europe/Berlin');
  expect(zoneWith('Etc/GMT-3')).toBe('Etc/GMT-3');
  // Compose passes on a variable that is not set as an empty one. The system's own programs take it for UTC.
  for (const blank of ['', ' ']) expect(zoneWith(blank)).toBe('UTC');
  // PostgreSQL reads the sign of an offset the other way round.
  for (const wrong of ['GMT+3', 'Mars/Olympus']) {
    expect(() => zoneWith(wrong)).toThrow(
      new SettingsError(
        `TZ is "${wrong}": it must be an IANA time zone such as Europe/Berlin. Correct it, or set TIME_ZONE.`,
      ),
    );
    expect(zoneWith(wrong, { TIME_ZONE: 'Asia/Jakarta' })).toBe('Asia/Jakarta');
  }
  expect(() => zoneWith('UTC', { TIME_ZONE: '+03:00' })).toThrow(
    /^TIME_ZONE is "\+03:00": it must be an IANA/,
  );
});

test('a refused secret, or an address with a password, is not quoted', () => {
  for (const name of Object.keys(SECRETS)) {
    const line = refusalOf(name, 'hunter2');
    expect(line).toMatch(new RegExp(`^${name} must `));
    expect(line).not.toContain('hunter2');
  }
});

test.each([
  ['SMPT_URL', 'SMTP_URL'],
  ['SMTP_URI', 'SMTP_URL'],
  ['KEY_PEPER', 'KEY_PEPPER'],
  ['LOGLEVEL', 'LOG_LEVEL'],
  ['WIREBIRD_PORT', 'PORT'],
  ['WIREBIRD_GRACE_DAY', 'GRACE_DAYS'],
])('%s is named, with %s as the suggestion', (given, meant) => {
  expect(misspeltSettings({ [given]: 'x' })).toEqual([
    `${given} is not a setting and is ignored. Did you mean ${meant}?`,
  ]);
});

test('a variable with our prefix that resembles no setting is named without a guess', () => {
  expect(misspeltSettings({ WIREBIRD_FOO_BAR: 'x' })).toEqual([
    'WIREBIRD_FOO_BAR is not a setting and is ignored. docs/configuration.md lists them.',
  ]);
});

test('the variables of a program that sends are no misspelt settings', () => {
  const ofCallers = ['WIREBIRD_KEY', 'WIREBIRD_API_KEY', 'WIREBIRD_URL', 'WIREBIRD_WEBHOOK_SECRET'];
  expect(misspeltSettings(Object.fromEntries(ofCallers.map((name) => [name, 'x'])))).toEqual([]);
});

test('settings of other programs are ignored', () => {
  const others = [
    'HOME',
    'HOSTNAME',
    'PATH',
    'PGPORT',
    'PGHOST',
    'SHELL',
    'NODE_ENV',
    'LOGNAME',
    'XDG_DATA_DIRS',
  ];
  const env = Object.fromEntries([...others, ...SETTING_NAMES].map((name) => [name, 'x']));
  expect(misspeltSettings(env)).toEqual([]);
});
