import { execFile } from 'node:child_process';
import fs from 'node:fs';
import path from 'node:path';
import { promisify } from 'node:util';
import { AppError } from '#server/core/errors.ts';
import { childEnvironment } from '#server/settings.ts';
import { fontProblem, unpackBrowser } from './bundled-browser.ts';
import { installedBrowsers, isShell } from './installed-browsers.ts';
import { launchProblem } from './try-browser.ts';

export interface Browser {
  executablePath: string;
  /** The value of puppeteer's `headless`: a headless shell needs half of a full Chrome's memory. */
  headless: 'shell' | true;
  /** Give puppeteer a copy: it takes flags out of the list. */
  args: string[];
  /** The browser's whole environment: it opens pages, so our secrets are not in it. */
  env: Record<string, string>;
  kind: 'configured' | 'installed' | 'bundled';
  /** Such as `156.0.8078.79`; null if the browser does not report it (Windows). */
  version: string | null;
}

const NO_SANDBOX = '--no-sandbox';
const VERSION_LIMIT_MS = 20_000;

/**
 * Otherwise Chromium deletes what even an open page has stored, and with it the link, when less than 2 GB or 10 % of the
 * disk are free. `DiskStop` ends the sessions before the disk is full.
 */
const KEEP_STORAGE = 'StorageQuotaSettings:ShouldRemainAvailableBytes/0/ShouldRemainAvailableRatio/0';

/** Turns off what the page does not need. Each flag saves memory, disk or a connection to another server. */
const ARGS = [
  '--disable-gpu',
  '--disable-quic',
  '--disable-background-networking',
  '--disable-breakpad',
  '--disable-client-side-phishing-detection',
  '--disable-component-update',
  '--disable-default-apps',
  // A container's /dev/shm is 64 MB by default, and a larger page crashes.
  '--disable-dev-shm-usage',
  '--disable-domain-reliability',
  '--disable-extensions',
  '--disable-print-preview',
  '--disable-sync',
  '--disk-cache-size=33554432',
  '--mute-audio',
  '--no-default-browser-check',
  '--no-first-run',
  '--no-pings',
  '--disable-features=SpareRendererForSitePerProcess',
  `--enable-features=NetworkServiceInProcess2,${KEEP_STORAGE}`,
];

/** Environment variables that the browser gets. */
const PASSED_ON =
  /^(PATH|LANG|LC_\w+|TZ|TMPDIR|TEMP|TMP|https?_proxy|no_proxy|SystemRoot|SystemDrive|LOCALAPPDATA|APPDATA|USERPROFILE|ProgramFiles.*|ProgramData)$/i;

/**
 * Finds the browser for the sessions: `chromiumPath` if set, else an installed one, else the bundled one, unpacked
 * below `dataDir`. The returned browser has been started once as a check. Throws `unavailable` with a sentence on how
 * to install one, if none runs.
 *
 * @param options.searchIn where to look for an installed browser; default: PATH and the usual directories.
 * @param options.machineFonts where to look for a font beside the bundled ones; default: the usual directories.
 */
export async function resolveBrowser(options: {
  chromiumPath?: string | undefined;
  dataDir: string;
  searchIn?: string[];
  machineFonts?: string[];
}): Promise<Browser> {
  const { chromiumPath, dataDir } = options;
  const base = baseEnvironment(dataDir);
  if (chromiumPath) {
    const found = await check(path.resolve(chromiumPath), base, 'configured', dataDir);
    if (typeof found !== 'string') return found;
    throw new AppError(
      'unavailable',
      `CHROMIUM_PATH is ${chromiumPath}, which cannot be used: ${found}. Correct it, or unset it to use an installed or the bundled browser.`,
    );
  }
  const problems: string[] = [];
  for (const executable of installedBrowsers(options.searchIn)) {
    const found = await check(executable, base, 'installed', dataDir);
    if (typeof found !== 'string') return found;
    problems.push(`${executable}: ${found}`);
  }
  const bundled = await unpackBrowser(dataDir)
    .then((browser) => fontProblem(browser.executablePath, options.machineFonts) ?? browser)
    .catch((error: Error) => error.message);
  if (typeof bundled === 'string') {
    problems.push(`bundled browser: ${bundled}`);
  } else {
    // The machine's own libraries come first; those in the package were built for one distribution.
    for (const libraries of [{}, bundled.libraries]) {
      const env = { ...base, ...bundled.env, ...libraries };
      const found = await check(bundled.executablePath, env, 'bundled', dataDir);
      if (typeof found !== 'string') return found;
      problems.push(`bundled browser: ${found}`);
    }
  }
  throw new AppError(
    'unavailable',
    `No browser was found that can run the sessions. Install Chromium (Debian, Ubuntu: "apt install chromium-headless-shell" or "chromium"; Alpine: "apk add chromium"; macOS, Windows: Google Chrome), or set CHROMIUM_PATH. Tried: ${problems.join('; ')}.`,
  );
}

/** Whether Chromium sandboxes its pages, which it cannot do as root. */
export const hasOwnSandbox = ({ args }: Browser): boolean => !args.includes(NO_SANDBOX);

function baseEnvironment(dataDir: string): Record<string, string> {
  const env: Record<string, string> = {};
  for (const [name, value] of Object.entries(childEnvironment())) {
    if (value !== undefined && PASSED_ON.test(name)) env[name] = value;
  }
  // A browser creates caches and key stores in its home directory, so that is below the data directory.
  const home = path.join(dataDir, 'browser');
  fs.mkdirSync(home, { recursive: true, mode: 0o700 });
  return { ...env, HOME: home };
}

/** The browser, or why it cannot be used. */
async function check(
  executablePath: string,
  env: Record<string, string>,
  kind: Browser['kind'],
  dataDir: string,
): Promise<Browser | string> {
  const version = await versionOf(executablePath, env);
  if (typeof version === 'object' && version !== null) return version.problem;
  const asRoot = process.getuid?.() === 0;
  const browser: Browser = {
    executablePath,
    headless: kind === 'bundled' || isShell(executablePath) ? 'shell' : true,
    args: asRoot ? [...ARGS, NO_SANDBOX] : [...ARGS],
    env,
    kind,
    version,
  };
  if (asRoot || process.platform !== 'linux') return browser;
  return (await launchProblem(browser, dataDir)) ?? browser;
}

async function versionOf(
  executable: string,
  env: Record<string, string>,
): Promise<string | null | { problem: string }> {
  try {
    fs.accessSync(executable, fs.constants.X_OK);
    // On Windows, `--version` opens a window instead.
    if (process.platform === 'win32') return null;
    const { stdout } = await promisify(execFile)(executable, ['--version'], {
      env: env as NodeJS.ProcessEnv,
      timeout: VERSION_LIMIT_MS,
      killSignal: 'SIGKILL',
    });
    const version = /\d+(?:\.\d+){3}/.exec(stdout)?.[0];
    return version ?? { problem: `it says "${stdout.trim().slice(0, 100)}" when asked for its version` };
  } catch (error) {
    const { stderr, message } = error as Error & { stderr?: string };
    return { problem: (stderr?.trim() || message).split('\n').at(-1) ?? 'it cannot be run' };
  }
}
