import { strFromU8 } from 'fflate';
import { expect, test } from 'vitest';
import { PasskeyRequest } from '#server/core/passkey.ts';
import { settings } from '#server/settings.ts';
import { consoleCode, extensionFiles } from './passkey-tools.ts';

test('the extension has no permissions, and runs at two addresses', () => {
  const files = extensionFiles();
  const manifest = JSON.parse(strFromU8(files.get('manifest.json') ?? new Uint8Array()));
  expect(Object.keys(manifest).filter((name) => /permissions|connectable/.test(name))).toEqual([]);
  const scripts: { matches: string[]; js: string[] }[] = manifest.content_scripts;
  expect([...new Set(scripts.flatMap(({ matches }) => matches))]).toEqual([
    'https://web.whatsapp.com/*',
    `${settings.publicUrl}/*`,
  ]);
  const named = [
    manifest.background.service_worker,
    ...scripts.flatMap(({ js }) => js),
    ...Object.values<string>(manifest.icons),
  ];
  expect([...files.keys()].sort()).toEqual(['manifest.json', ...named].sort());
  for (const [name, bytes] of files)
    if (name.endsWith('.js'))
      expect(strFromU8(bytes)).not.toMatch(/fetch|XMLHttpRequest|localStorage|cookie/);
});

test('the extension’s scripts and the console’s code are JavaScript', () => {
  const request = PasskeyRequest.parse({ challenge: 'AAAA', rpId: 'whatsapp.com' });
  const code = consoleCode({ token: 'a token', request });
  const scripts = [...extensionFiles()].filter(([name]) => name.endsWith('.js'));
  for (const text of [code, ...scripts.map(([, bytes]) => strFromU8(bytes))])
    expect(() => new Function(text)).not.toThrow();
  expect(code).toContain('"challenge":"AAAA"');
});
