import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { childEnvironment } from '#server/settings.ts';

/** In order of preference: the lightest first. */
const NAMES = [
  'chromium-headless-shell',
  'chrome-headless-shell',
  'headless_shell',
  'chromium',
  'chromium-browser',
  'google-chrome-stable',
  'google-chrome',
  'chrome',
  'microsoft-edge-stable',
  'microsoft-edge',
];

/** Whether this is a headless shell, judging by its name. */
export const isShell = (executable: string): boolean => /headless[-_]shell/.test(path.basename(executable));

/**
 * The installed browsers, best first. Snaps are left out: their confinement does not let them use our profile
 * directory.
 *
 * @param searchIn directories to look in instead of PATH and the usual places.
 */
export function installedBrowsers(searchIn?: string[]): string[] {
  const directories = searchIn ?? [
    ...(childEnvironment().PATH ?? '').split(path.delimiter),
    ...usualPlaces(),
  ];
  const suffix = process.platform === 'win32' ? '.exe' : '';
  const candidates = NAMES.flatMap((name) => directories.map((dir) => path.join(dir, name + suffix)));
  if (!searchIn) candidates.push(...usualFiles());
  const found = new Map<string, string>();
  for (const candidate of candidates) {
    if (!path.isAbsolute(candidate) || !isExecutableFile(candidate) || isSnap(candidate)) continue;
    // The same file under several names is one browser.
    const real = fs.realpathSync(candidate);
    if (!found.has(real)) found.set(real, candidate);
  }
  return [...found.values()];
}

function usualPlaces(): string[] {
  if (process.platform !== 'linux') return [];
  return [
    '/usr/bin',
    '/usr/local/bin',
    '/usr/lib/chromium',
    '/usr/lib64/chromium-browser',
    '/opt/google/chrome',
  ];
}

function usualFiles(): string[] {
  if (process.platform === 'darwin') {
    const apps = [
      'Google Chrome.app/Contents/MacOS/Google Chrome',
      'Chromium.app/Contents/MacOS/Chromium',
      'Microsoft Edge.app/Contents/MacOS/Microsoft Edge',
    ];
    const places = ['/Applications', path.join(os.homedir(), 'Applications')];
    return apps.flatMap((app) => places.map((place) => path.join(place, app)));
  }
  if (process.platform === 'win32') {
    const env = childEnvironment();
    const places = [env.PROGRAMFILES, env['PROGRAMFILES(X86)'], env.LOCALAPPDATA].filter(
      (place) => place !== undefined,
    );
    const files = [
      'Google/Chrome/Application/chrome.exe',
      'Chromium/Application/chrome.exe',
      'Microsoft/Edge/Application/msedge.exe',
    ];
    return files.flatMap((file) => places.map((place) => path.join(place, file)));
  }
  return [];
}

function isExecutableFile(file: string): boolean {
  try {
    fs.accessSync(file, fs.constants.X_OK);
    return fs.statSync(file).isFile();
  } catch {
    return false;
  }
}

function isSnap(file: string): boolean {
  const real = fs.realpathSync(file);
  if (real === '/usr/bin/snap' || real.startsWith('/snap/')) return true;
  // Ubuntu's chromium-browser is a script of a few lines that starts the snap.
  if (fs.statSync(real).size > 16_384) return false;
  return fs.readFileSync(real, 'utf8').includes('/snap/bin/');
}
