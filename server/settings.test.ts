import { expect, test } from 'vitest';
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
  expect(refusalOf('MEDIA_PORTS', '80,https')).toMatch(
    /it must be ports from 1 to 65535, separated by commas/,
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
