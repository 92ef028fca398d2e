import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { installedBrowsers, isShell } from './installed-browsers.ts';

const place = fs.mkdtempSync(path.join(os.tmpdir(), 'wirebird-browsers-'));
afterAll(() => fs.rmSync(place, { recursive: true, force: true }));

let directories = 0;
function directory(files: Record<string, { text?: string; mode?: number }>): string {
  const dir = path.join(place, String(++directories));
  fs.mkdirSync(dir);
  for (const [name, { text = '#!/bin/sh\n', mode = 0o755 }] of Object.entries(files)) {
    fs.writeFileSync(path.join(dir, name), text, { mode });
  }
  return dir;
}

test('a headless shell comes before Chromium and Chromium before Chrome, in any directory', () => {
  const first = directory({ 'google-chrome': {}, chromium: {} });
  const second = directory({ 'chromium-headless-shell': {}, chromium: {} });
  expect(installedBrowsers([first, second])).toEqual([
    path.join(second, 'chromium-headless-shell'),
    path.join(first, 'chromium'),
    path.join(second, 'chromium'),
    path.join(first, 'google-chrome'),
  ]);
});

test('a directory, a missing file or a file that cannot be executed is not a browser', () => {
  const dir = directory({ chromium: { mode: 0o644 } });
  fs.mkdirSync(path.join(dir, 'google-chrome'));
  expect(installedBrowsers([dir, path.join(place, 'missing'), ''])).toEqual([]);
});

test('one browser under two names is tried once', () => {
  const dir = directory({ chromium: {} });
  fs.symlinkSync('chromium', path.join(dir, 'google-chrome'));
  expect(installedBrowsers([dir])).toEqual([path.join(dir, 'chromium')]);
});

test('a script that starts a snap is skipped: a snap cannot keep its profile in our directory', () => {
  const dir = directory({ 'chromium-browser': { text: '#!/bin/sh\nexec /snap/bin/chromium "$@"\n' } });
  expect(installedBrowsers([dir])).toEqual([]);
});

test.each([
  ['/usr/bin/chromium-headless-shell', true],
  ['/opt/chrome-headless-shell-linux64/chrome-headless-shell', true],
  ['/opt/headless_shell', true],
  ['/opt/headless-shell-tools/chromium', false],
])('%s is a headless shell: %s', (executable, shell) => {
  expect(isShell(executable)).toBe(shell);
});
