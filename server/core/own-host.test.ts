import { expect, test } from 'vitest';
import { parseSettings } from '../settings.ts';
import { isOwnHost } from './own-host.ts';

const settings = parseSettings({
  HOST: '192.168.1.5',
  PUBLIC_URL: 'https://Send.Example',
  ALLOWED_HOSTS: 'intranet, Wirebird.lan,[fd00::7]',
});

test.each([
  'send.example',
  'send.example:8443',
  'SEND.example',
  'localhost',
  'localhost:3000',
  '127.0.0.1:3000',
  '127.8.9.10',
  '[::1]:3000',
  '192.168.1.5:3000',
  'intranet:80',
  'wirebird.lan',
  '[fd00::7]:3000',
])('pages are served under %s', (host) => expect(isOwnHost(host, settings)).toBe(true));

test.each([
  undefined,
  '',
  'evil.example',
  'evil.example:3000',
  'send.example.evil.example',
  'localhost.evil.example',
  'localhost@evil.example',
  'evil.example/localhost',
  'evil.example#localhost',
  '10.0.0.9',
  'x, localhost',
  '127.0.0.1.evil.example',
  '[::2]',
])('pages are not served under %j', (host) => expect(isOwnHost(host, settings)).toBe(false));

test('without settings, pages are served only under the machine’s own names', () => {
  const own = parseSettings({});
  expect(isOwnHost('localhost:3000', own)).toBe(true);
  expect(isOwnHost('intranet', own)).toBe(false);
});

test.each(['wirebird.lan:3000', 'http://wirebird.lan', '*', 'a b'])(
  'ALLOWED_HOSTS does not take %j',
  (name) => {
    expect(() => parseSettings({ ALLOWED_HOSTS: name })).toThrow('ALLOWED_HOSTS');
  },
);
