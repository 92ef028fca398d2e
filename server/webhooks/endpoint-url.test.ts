import { expect, test } from 'vitest';
import { checkEndpointUrl } from './endpoint-url.ts';

test('each refusal of an URL is about the field "url"', () => {
  for (const url of ['shop', 'ftp://shop.example', 'https://ann@shop.example', 'http://192.168.0.1/'])
    expect(() => checkEndpointUrl(url), url).toThrow(
      expect.objectContaining({ code: 'invalid_parameters', details: { field: 'url' } }),
    );
  expect(checkEndpointUrl(' https://shop.example/events#part ')).toBe('https://shop.example/events');
});

test('a URL that could not be read again once it is stored is refused', () => {
  expect(() => checkEndpointUrl(`https://shop.example/${'ä'.repeat(1000)}`)).toThrow(
    'url is longer than 2048 characters',
  );
  const longest = checkEndpointUrl(`https://shop.example/${'ä'.repeat(337)}`);
  expect(checkEndpointUrl(longest)).toBe(longest);
});
