import { describe, expect, test } from 'vitest';
import { AppError } from '#server/core/errors.ts';
import { sayFileProblem } from '#server/core/file-problem.ts';
import { checkMediaUrl, isAllowedHost } from './vet-url.ts';

const UNREACHABLE_SENTENCE = sayFileProblem({ problem: 'unreachable' });

const PORTS = [80, 443, 8080, 8443];

function refusal(text: string, allowHosts: string[] = [], ports = PORTS): unknown {
  try {
    return checkMediaUrl(text, { allowHosts, ports }).href;
  } catch (error) {
    return error instanceof AppError ? [error.code, error.message] : error;
  }
}

describe('checkMediaUrl', () => {
  test('accepts a public URL, with each permitted port', () => {
    for (const url of [
      'http://a.example/',
      'https://a.example/x?y#z',
      'https://a.example:8443/',
      'http://1.1.1.1:8080/',
    ]) {
      expect(refusal(url)).toBe(url);
    }
  });

  test('names the permitted ports when it refuses one', () => {
    expect(refusal('http://a.example:22/')).toEqual([
      'invalid_parameters',
      'url uses port 22. Use one of these ports: 80, 443, 8080, or 8443.',
    ]);
    expect(refusal('https://a.example/', [], [80])).toEqual([
      'invalid_parameters',
      'url uses port 443. Use one of these ports: 80.',
    ]);
  });

  test.each([
    'http://127.1/',
    'http://[::ffff:7f00:1]/',
    'http://10.0.0.1:8080/',
    'http://localhost/',
    'http://LOCALHOST./',
    'http://a.localhost/',
    'http://127.0.0.1./',
  ])('refuses an address that is not public, without a look-up: %s', (url) => {
    expect(refusal(url)).toEqual(['media_unusable', UNREACHABLE_SENTENCE]);
  });

  test('leaves a name that only ends like localhost to DNS', () => {
    expect(refusal('http://notlocalhost/')).toBe('http://notlocalhost/');
    expect(refusal('http://localhost.example/')).toBe('http://localhost.example/');
  });

  test('accepts an allowed host with exactly its port, and nothing else on it', () => {
    const allowed = ['127.0.0.1:9000', '[::1]:9001', 'Files.Intranet:80', 'localhost:9002'];
    for (const url of [
      'http://127.0.0.1:9000/',
      'http://2130706433:9000/',
      'http://[::1]:9001/',
      'http://files.intranet/',
      'http://localhost:9002/',
    ]) {
      expect(refusal(url, allowed)).not.toBeInstanceOf(Array);
    }
    for (const url of [
      'http://127.0.0.1:9001/',
      'http://127.0.0.1/',
      'http://127.0.0.2:9000/',
      'http://[::1]:9000/',
      'https://localhost/',
    ]) {
      expect(refusal(url, allowed)).toBeInstanceOf(Array);
    }
    expect(refusal('ftp://127.0.0.1:9000/', allowed)).toEqual([
      'invalid_parameters',
      'url must begin with http:// or https://.',
    ]);
  });
});

test('isAllowedHost matches an entry exactly, without wildcard or suffix', () => {
  const url = new URL('http://a.files.intranet:9000/');
  expect(isAllowedHost(url, ['files.intranet:9000', '*.files.intranet:9000', '*:9000', ':9000'])).toBe(false);
  expect(isAllowedHost(url, ['a.files.intranet:9000'])).toBe(true);
});
