import { expect, test } from 'vitest';
import { userAgentOf, userAgentWithMetadata } from './user-agent.ts';

test('the user agent is that of a Chrome of the same major version on the same system', () => {
  expect(userAgentOf('156.0.8078.79', 'linux')).toBe(
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36',
  );
  expect(userAgentOf(null, 'win32')).toMatch(
    /^Mozilla\/5\.0 \(Windows NT 10\.0; Win64; x64\) .*Chrome\/\d{3}\.0\.0\.0 /,
  );
});

// What Chrome 120 and 131 send in Sec-CH-UA.
test.each([
  ['120.0.6099.109', ['Not_A Brand 8', 'Chromium 120', 'Google Chrome 120']],
  ['131.0.6778.85', ['Google Chrome 131', 'Chromium 131', 'Not_A Brand 24']],
])('the brands match those of Chrome %s', (version, brands) => {
  const { userAgentMetadata } = userAgentWithMetadata(version, 'linux');
  expect(userAgentMetadata.brands.map(({ brand, version }) => `${brand} ${version}`)).toEqual(brands);
  expect(userAgentMetadata.fullVersionList).toContainEqual({ brand: 'Chromium', version });
  expect(userAgentMetadata.fullVersionList).toContainEqual({
    brand: 'Not_A Brand',
    version: expect.stringMatching(/^\d+\.0\.0\.0$/),
  });
});

test('the metadata names the same system as the user agent', () => {
  expect(userAgentWithMetadata(null, 'darwin')).toMatchObject({
    platform: 'MacIntel',
    userAgent: expect.stringContaining('Macintosh'),
    userAgentMetadata: { platform: 'macOS', mobile: false, bitness: '64' },
  });
});
