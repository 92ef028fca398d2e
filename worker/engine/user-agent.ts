import os from 'node:os';

/** For browsers that do not report their version (on Windows). */
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
 * The user agent of a Chrome of this version. The library's default is years old, and WhatsApp refuses old browsers; a
 * headless browser's own user agent says that it is headless.
 */
export function userAgentOf(version: string | null, platform: NodeJS.Platform = process.platform): string {
  const major = majorOf(version ?? FALLBACK_VERSION);
  return `Mozilla/5.0 (${systemOf(platform).words}) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${major}.0.0.0 Safari/537.36`;
}

/** The user agent with its metadata, for puppeteer. With the text alone the page would have no metadata. */
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

const GREASE_CHARACTERS = [' ', '(', ':', '-', '.', '/', ')', ';', '=', '?', '_'];
const GREASE_VERSIONS = ['8', '99', '24'];
/** The positions of the meaningless ("GREASE") brand, Chromium and Google Chrome. */
const ORDERS = [
  [0, 1, 2],
  [0, 2, 1],
  [1, 0, 2],
  [1, 2, 0],
  [2, 0, 1],
  [2, 1, 0],
] as const;

/** Chrome's list of brands. One is meaningless ("GREASE"); its text and the order follow from the major version. */
function brandsOf(full: string, write: (version: string) => string): { brand: string; version: string }[] {
  const seed = Number(majorOf(full));
  const sign = (offset: number) => GREASE_CHARACTERS[(seed + offset) % GREASE_CHARACTERS.length] ?? '';
  const named: [brand: string, version: string][] = [
    [`Not${sign(0)}A${sign(1)}Brand`, GREASE_VERSIONS[seed % GREASE_VERSIONS.length] ?? ''],
    ['Chromium', full],
    ['Google Chrome', full],
  ];
  const places = ORDERS[seed % ORDERS.length] ?? ORDERS[0];
  return named
    .map(([brand, version], index) => ({ place: places[index] ?? 0, brand, version: write(version) }))
    .sort((one, other) => one.place - other.place)
    .map(({ brand, version }) => ({ brand, version }));
}
