import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { settings } from '#server/settings.ts';
import { unpackBrowser } from '#worker/engine/bundled-browser.ts';
import { installedBrowsers } from '#worker/engine/installed-browsers.ts';

/** One unpacked browser for all test runs: unpacking takes 3 s of a processor. */
export const BROWSER_OF_TESTS = path.join(os.tmpdir(), 'wirebird-test-browser');

/**
 * Puts the bundled browser into a test's data directory, as hard links to one that was unpacked before, so that
 * the product does not unpack it again. Does nothing if another browser would be used.
 */
export async function lendBrowser(dataDir: string): Promise<void> {
  if (settings.chromiumPath || installedBrowsers().length > 0) return;
  const { executablePath } = await unpackBrowser(BROWSER_OF_TESTS);
  const from = path.dirname(executablePath);
  const to = path.join(dataDir, path.basename(from));
  if (fs.existsSync(to)) return;
  fs.mkdirSync(dataDir, { recursive: true, mode: 0o700 });
  for (const entry of fs.readdirSync(from, { recursive: true, withFileTypes: true })) {
    const file = path.join(entry.parentPath, entry.name);
    const place = path.join(to, path.relative(from, file));
    fs.mkdirSync(entry.isDirectory() ? place : path.dirname(place), { recursive: true, mode: 0o700 });
    if (!entry.isDirectory()) fs.linkSync(file, place);
  }
}
