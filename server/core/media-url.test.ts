import { describe, expect, test } from 'vitest';
import { AppError } from './errors.ts';
import { LIMITS } from './limits.ts';
import { mediaUrlPort, parseMediaUrl } from './media-url.ts';

function refusal(text: string): unknown {
  try {
    return parseMediaUrl(text).href;
  } catch (error) {
    return error instanceof AppError ? [error.code, error.message] : error;
  }
}

describe('parseMediaUrl', () => {
  test.each([
    'file:///etc/passwd',
    'ftp://a.example/x',
    'data:image/png;base64,AA',
    'blob:http://x/1',
    'mailto:a@b',
  ])('a scheme that is not http or https is refused: %s', (text) => {
    expect(refusal(text)).toEqual(['invalid_parameters', 'url must begin with http:// or https://.']);
  });

  test.each([
    '',
    'a.example/x.jpg',
    '/x.jpg',
    '//8.8.8.8/a',
    'http://',
    'http://256.1.1.1/',
    'http://a b/',
    'http://[::1',
    'http://a:65536/',
  ])('an incomplete URL is refused: %j', (text) => {
    expect(refusal(text)).toEqual([
      'invalid_parameters',
      'url is not a complete URL. Send one that begins with https:// or http://, such as https://example.com/path.',
    ]);
  });

  test.each([
    'http://user@a.example/',
    'http://user:word@a.example/',
    'https://:word@a.example/',
    'http://public.test@127.0.0.1/',
  ])('credentials are refused rather than dropped: %s', (text) => {
    expect(refusal(text)).toEqual([
      'invalid_parameters',
      'url must not contain a user name or password; give a link that works without them.',
    ]);
  });

  test('a URL may have 8192 bytes, counted as it is sent', () => {
    const url = 'https://a.example/'.padEnd(LIMITS.mediaUrlBytes, 'a');
    expect(parseMediaUrl(url).href).toBe(url);
    const tooLong = (bytes: number) => [
      'invalid_parameters',
      `url has ${bytes} bytes, with its special characters encoded. The limit is 8192 bytes. Use a shorter link.`,
    ];
    expect(refusal(`${url}a`)).toEqual(tooLong(8193));
    const query = (chars: number) => `https://a.example/?${'ü'.repeat(chars)}`;
    expect(parseMediaUrl(query(1362)).href).toHaveLength(8191);
    expect(refusal(query(1363))).toEqual(tooLong(8197));
  });

  test('different spellings of a host become one', () => {
    expect(parseMediaUrl('HTTP://0x7f.1/').hostname).toBe('127.0.0.1');
    expect(parseMediaUrl('https://BÜCHER.example:443/').host).toBe('xn--bcher-kva.example');
  });
});

test('mediaUrlPort knows the default port of each scheme', () => {
  expect(mediaUrlPort(new URL('http://a.example/'))).toBe(80);
  expect(mediaUrlPort(new URL('https://a.example/'))).toBe(443);
  expect(mediaUrlPort(new URL('https://a.example:8443/'))).toBe(8443);
});
