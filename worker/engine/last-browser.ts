import fs from 'node:fs/promises';
import path from 'node:path';
import { userDataDir } from './profile.ts';

/** The browser that wrote this profile is newer than the one that would open it, and could have changed its format. */
export class OlderBrowserError extends Error {
  constructor(ours: string, last: string) {
    super(
      `this profile was last used with Chromium ${last}, and the browser here is ${ours}: an older one can damage it, so it is not opened. Install Chromium ${majorOf(last)} or newer, or point CHROMIUM_PATH to one; the session is kept`,
    );
    this.name = 'OlderBrowserError';
  }
}

/** In the profile, as Chrome itself names it. A headless shell does not write it. */
export const LAST_VERSION = 'Last Version';

const majorOf = (version: string) => Number.parseInt(version, 10);

/**
 * Records which browser opens this profile. Rejects with {@link OlderBrowserError} if a newer major version has opened
 * it before. A browser without a known version opens any profile.
 */
export async function requireNoNewerBrowser(profileDir: string, version: string | null): Promise<void> {
  if (version === null) return;
  const directory = userDataDir(profileDir);
  const file = path.join(directory, LAST_VERSION);
  const last = await fs.readFile(file, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  if (majorOf(last) > majorOf(version)) throw new OlderBrowserError(version, last.trim());
  if (last === version) return;
  await fs.mkdir(directory, { recursive: true, mode: 0o700 });
  await fs.writeFile(file, version, { mode: 0o600 });
}
