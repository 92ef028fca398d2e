import { expect, test } from 'vitest';
import { userAgentOf } from './user-agent.ts';

test('the user agent is that of a Chrome of the same major version on the same system', () => {
  expect(userAgentOf('156.0.8078.79', 'linux')).toBe(
    'Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/156.0.0.0 Safari/537.36',
  );
  expect(userAgentOf(null, 'win32')).toMatch(
    /^Mozilla\/5\.0 \(Windows NT 10\.0; Win64; x64\) .*Chrome\/\d{3}\.0\.0\.0 /,
  );
});
