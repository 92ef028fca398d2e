import { expect, test } from 'vitest';
import { settingsInForce } from './settings.ts';

const SECRETS = {
  DATABASE_URL: 'postgres://bird:hunter2@db.example:5432/wirebird',
  SMTP_URL: 'smtp://bird:hunter2@mail.example:587',
  AUTH_SECRET: 'planted-auth-secret-'.repeat(3),
  KEY_PEPPER: 'planted-key-pepper-'.repeat(3),
  DATA_KEY: 'planted-data-key-'.repeat(3),
};
const of = (env: Record<string, string>, name: string) =>
  settingsInForce(env).find((setting) => setting.name === name);

test('the settings in force say what holds and where it came from', () => {
  expect(of({ GRACE_DAYS: '5' }, 'GRACE_DAYS')).toEqual({
    ...{ name: 'GRACE_DAYS', value: '5', secret: false, source: 'environment' },
  });
  expect(of({}, 'GRACE_DAYS')).toMatchObject({ value: '3', source: 'default' });
  // What the start hands on as it is anyway was set by nobody.
  expect(of({ PORT: '3000' }, 'PORT')).toMatchObject({ value: '3000', source: 'default' });
  expect(of({ PORT: '8080' }, 'PUBLIC_URL')).toMatchObject({ value: 'http://localhost:8080' });
  expect(of({ WIREBIRD_ENV: 'production' }, 'SANDBOX')).toMatchObject({ value: 'off' });
  expect(of({}, 'MEDIA_PORTS')).toMatchObject({ value: '80, 443, 8080, 8443' });
  expect(of({ CHROMIUM_PATH: '' }, 'CHROMIUM_PATH')).toMatchObject({ value: null, source: 'default' });
});

test('no secret is among them, whole or in part', () => {
  const shown = settingsInForce({ ...SECRETS, MAIL_FROM: 'alerts@example.com' });
  for (const name of Object.keys(SECRETS))
    expect(shown.find((setting) => setting.name === name)).toEqual({
      ...{ name, value: null, secret: true, source: 'environment' },
    });
  expect(JSON.stringify(shown)).not.toMatch(/planted|hunter2|db\.example|mail\.example/);
  expect(of({}, 'DATA_KEY')).toMatchObject({ value: null, source: 'default' });
});
