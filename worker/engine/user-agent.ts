import os from 'node:os';

/** For browsers that do not tell their version (those on Windows). */
const FALLBACK_VERSION = '150.0.0.0';

interface System {
  /** As in the user agent's text. */
  words: string;
  /** As in its metadata. */
  platform: string;
  /** As in `navigator.platform`. */
  navigator: string;
}

const LINUX: System = { words: 'X11; Linux x86_64', platform: 'Linux', navigator: 'Linux x86_64' };
const SYSTEMS: Partial<Record<NodeJS.Platform, System>> = {
  darwin: { words: 'Macintosh; Intel Mac OS X 10_15_7', platform: 'macOS', navigator: 'MacIntel' },
  win32: { words: 'Windows NT 10.0; Win64; x64', platform: 'Windows', navigator: 'Win32' },
};

const systemOf = (platform: NodeJS.Platform) => SYSTEMS[platform] ?? LINUX;
const majorOf = (version: string) => version.split('.')[0] ?? '';

/**
 * What a Chrome of this version calls itself. The library's own default is years old, and a headless
 * browser's own name says that it is one; WhatsApp turns old browsers away.
 */
export function userAgentOf(version: string | null, platform: NodeJS.Platform = process.platform): string {
  const major = majorOf(version ?? FALLBACK_VERSION);
  return `Mozilla/5.0 (${systemOf(platform).words}) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${major}.0.0.0 Safari/537.36`;
}

/** The user agent with its metadata, as puppeteer takes it: a text alone would leave the page without any. */
export function userAgentWithMetadata(version: string | null, platform: NodeJS.Platform = process.platform) {
  const full = version ?? FALLBACK_VERSION;
  const system = systemOf(platform);
  return {
    userAgent: userAgentOf(version, platform),
    platform: system.navigator,
    userAgentMetadata: {
      brands: brandsOf(full, majorOf),
      fullVersionList: brandsOf(full, (brand) => (brand.includes('.') ? brand : `${brand}.0.0.0`)),
      fullVersion: full,
      platform: system.platform,
      platformVersion: /^\d+(\.\d+){0,2}/.exec(os.release())?.[0] ?? '',
      architecture: process.arch.startsWith('arm') ? 'arm' : 'x86',
      bitness: '64',
      model: '',
      mobile: false,
      wow64: false,
    },
  };
}

const SIGNS = [' ', '(', ':', '-', '.', '/', ')', ';', '=', '?', '_'];
const NONSENSE_VERSIONS = ['8', '99', '24'];
/** Where the nonsense brand, Chromium and Google Chrome stand. */
const ORDERS = [
  [0, 1, 2],
  [0, 2, 1],
  [1, 0, 2],
  [1, 2, 0],
  [2, 0, 1],
  [2, 1, 0],
] as const;

/** Chrome's list of brands. One of them is nonsense; how it reads, and the order, follow from the major version. */
function brandsOf(full: string, write: (version: string) => string): { brand: string; version: string }[] {
  const seed = Number(majorOf(full));
  const sign = (offset: number) => SIGNS[(seed + offset) % SIGNS.length] ?? '';
  const named: [brand: string, version: string][] = [
    [`Not${sign(0)}A${sign(1)}Brand`, NONSENSE_VERSIONS[seed % NONSENSE_VERSIONS.length] ?? ''],
    ['Chromium', full],
    ['Google Chrome', full],
  ];
  const places = ORDERS[seed % ORDERS.length] ?? ORDERS[0];
  return named
    .map(([brand, version], index) => ({ place: places[index] ?? 0, brand, version: write(version) }))
    .sort((one, other) => one.place - other.place)
    .map(({ brand, version }) => ({ brand, version }));
}
