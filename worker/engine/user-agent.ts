/** For browsers that do not tell their version (those on Windows). */
const FALLBACK_MAJOR = '150';

const PLATFORMS: Partial<Record<NodeJS.Platform, string>> = {
  darwin: 'Macintosh; Intel Mac OS X 10_15_7',
  win32: 'Windows NT 10.0; Win64; x64',
};

/**
 * What a Chrome of this version calls itself. The library's own default is years old, and a headless
 * browser's own name says that it is one; WhatsApp turns old browsers away.
 */
export function userAgentOf(version: string | null, platform: NodeJS.Platform = process.platform): string {
  const major = version?.split('.')[0] ?? FALLBACK_MAJOR;
  const system = PLATFORMS[platform] ?? 'X11; Linux x86_64';
  return `Mozilla/5.0 (${system}) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/${major}.0.0.0 Safari/537.36`;
}
