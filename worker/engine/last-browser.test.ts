import fs from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { OlderBrowserError, requireNoNewerBrowser } from './last-browser.ts';

let profile: string;
const last = () => fs.readFile(path.join(profile, 'session', 'Last Version'), 'utf8');
beforeEach(async () => {
  profile = await fs.mkdtemp(path.join(os.tmpdir(), 'wirebird-profile-'));
});
afterEach(() => fs.rm(profile, { recursive: true, force: true }));

test('a profile is opened by the same browser and by newer ones, and keeps which was the last', async () => {
  await requireNoNewerBrowser(profile, '156.0.8078.108');
  await requireNoNewerBrowser(profile, '156.0.8078.79'); // an update can be taken back
  await requireNoNewerBrowser(profile, '157.0.1.1');
  expect(await last()).toBe('157.0.1.1');
});

test('an older browser does not open it, and the error says which one does', async () => {
  await requireNoNewerBrowser(profile, '156.0.8078.108');
  const refused = requireNoNewerBrowser(profile, '99.0.1.1');
  await expect(refused).rejects.toThrow(OlderBrowserError);
  await expect(refused).rejects.toThrow(
    /last used with Chromium 156\.0\.8078\.108.*Install Chromium 156 or newer/,
  );
  expect(await last()).toBe('156.0.8078.108');
  await requireNoNewerBrowser(profile, null);
});
