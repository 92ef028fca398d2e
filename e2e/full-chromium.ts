import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { childEnvironment } from '#server/settings.ts';
import { installedBrowsers, isShell } from '#worker/engine/installed-browsers.ts';

/** A browser that loads extensions, which the headless shell of all other tests does not. */

const FOLDER = path.join(os.tmpdir(), 'wirebird-full-chromium');
/** Debian's Chromium, and its libraries that a machine without a desktop lacks. */
const PACKAGES = [
  ...['chromium', 'chromium-common', 'libasyncns0', 'libdouble-conversion3', 'libflac12'],
  ...['libharfbuzz-subset0', 'libminizip1', 'libmp3lame0', 'libmpg123-0', 'libogg0', 'libopenh264-7'],
  ...['libopenjp2-7', 'libopus0', 'libpulse0', 'libsndfile1', 'libvorbis0a', 'libvorbisenc2', 'libxnvctrl0'],
];

/** An installed one, or Debian's, unpacked beside the system so that no other test finds it. */
export function fullChromium(): { executablePath: string; env: Record<string, string> } {
  const env = childEnvironment() as Record<string, string>;
  const installed = installedBrowsers().find((file) => !isShell(file));
  if (installed) return { executablePath: installed, env };
  const root = path.join(FOLDER, 'root');
  if (!fs.existsSync(root)) unpack(`${root}.new`, root);
  const libraries = path.join(root, `usr/lib/${process.arch === 'arm64' ? 'aarch64' : 'x86_64'}-linux-gnu`);
  return {
    executablePath: path.join(root, 'usr/lib/chromium/chromium'),
    env: { ...env, LD_LIBRARY_PATH: `${libraries}:${libraries}/pulseaudio` },
  };
}

function unpack(unfinished: string, root: string): void {
  fs.mkdirSync(FOLDER, { recursive: true });
  try {
    execFileSync('apt-get', ['download', '-qq', ...PACKAGES], { cwd: FOLDER, stdio: 'pipe' });
    for (const name of fs.readdirSync(FOLDER).filter((file) => file.endsWith('.deb')))
      execFileSync('dpkg', ['-x', name, unfinished], { cwd: FOLDER });
  } catch (cause) {
    throw new Error('The extension is tested in a full Chromium or Chrome: install one.', { cause });
  }
  fs.renameSync(unfinished, root);
}
