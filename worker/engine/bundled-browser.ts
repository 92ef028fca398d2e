import { execFile } from 'node:child_process';
import fs from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { promisify } from 'node:util';
import { lock } from '#server/platform/process/lock.ts';
import { nodePath } from '#server/platform/process/node.ts';
import { childEnvironment } from '#server/settings.ts';

const UNPACK_LIMIT_MS = 120_000;
const SIZES = 'sizes.json';

const MACHINE_FONTS = ['/usr/share/fonts', '/usr/local/share/fonts'];
const FONT = /\.(ttf|otf|ttc|otc|pfb|pcf|woff2?)(\.gz)?$/i;

/** The machine's fonts and the bundled one, named here so that the directory can be moved. */
const FONTS_CONF = `<?xml version="1.0"?>
<!DOCTYPE fontconfig SYSTEM "fonts.dtd">
<fontconfig>
${MACHINE_FONTS.map((directory) => `  <dir>${directory}</dir>`).join('\n')}
  <dir prefix="relative">fonts</dir>
  <cachedir prefix="xdg">fontconfig</cachedir>
</fontconfig>
`;

/**
 * Unpacks the bundled browser (197 MB) below `dataDir`, once for each version. An incomplete one is unpacked again, and
 * older versions are deleted. Throws if the package has no browser for this machine, or it cannot be unpacked.
 */
export async function unpackBrowser(dataDir: string) {
  if (process.platform !== 'linux' || process.arch !== 'x64') {
    throw new Error(`there is no bundled browser for ${process.platform}-${process.arch}`);
  }
  const entry = createRequire(import.meta.url).resolve('@sparticuz/chromium');
  const root = path.resolve(path.dirname(entry), '..');
  const { version } = JSON.parse(fs.readFileSync(path.join(root, 'package.json'), 'utf8'));
  const directory = path.join(dataDir, `chromium-${version}`);
  if (!isComplete(directory)) await unpack(entry, path.join(root, 'bin'), directory);
  return {
    executablePath: path.join(directory, 'chromium'),
    /** Fonts for a machine without any. */
    env: { FONTCONFIG_FILE: path.join(directory, 'fonts', 'wirebird.conf') },
    /** For a machine without the libraries that Chromium needs. */
    libraries: { LD_LIBRARY_PATH: path.join(directory, 'al2023', 'lib') },
  };
}

/**
 * A page without any font crashes the browser, or shows nothing. Null if there is a font: in the machine's directories or
 * among the bundled ones.
 */
export function fontProblem(
  executablePath: string,
  machineFonts: readonly string[] = MACHINE_FONTS,
): string | null {
  const places = [path.join(path.dirname(executablePath), 'fonts'), ...machineFonts];
  const hasFont = places.some((place) => {
    try {
      return fs.readdirSync(place, { recursive: true }).some((name) => FONT.test(String(name)));
    } catch {
      return false;
    }
  });
  return hasFont
    ? null
    : `no font was found in ${places.join(', ')}, and without one pages crash it. Install one (Debian, Ubuntu: "apt install fonts-liberation")`;
}

/** A readable reason: the command's own message contains our whole script. */
function whyNotUnpacked(stderr: string, directory: string): string {
  if (/ENOSPC|EDQUOT/.test(stderr))
    return `it needs 200 MB, and the disk that holds ${path.dirname(directory)} is full: make room there`;
  return /^\w*Error\b.*$/m.exec(stderr)?.[0] ?? 'it could not be unpacked';
}

/** The expected length of each unpacked file: a full disk or a power cut can truncate it. */
function isComplete(directory: string): boolean {
  try {
    const sizes: Record<string, number> = JSON.parse(fs.readFileSync(path.join(directory, SIZES), 'utf8'));
    return Object.entries(sizes).every(
      ([name, size]) => fs.statSync(path.join(directory, name)).size === size,
    );
  } catch {
    return false;
  }
}

function sizesIn(directory: string): Record<string, number> {
  const files = fs.readdirSync(directory, { recursive: true, withFileTypes: true });
  return Object.fromEntries(
    files
      .filter((entry) => entry.isFile())
      .map((entry) => path.join(entry.parentPath, entry.name))
      .map((file) => [path.relative(directory, file), fs.statSync(file).size]),
  );
}

async function unpack(entry: string, bin: string, directory: string): Promise<void> {
  fs.mkdirSync(path.dirname(directory), { recursive: true, mode: 0o700 });
  const unlock = await lock(`${directory}.lock`, UNPACK_LIMIT_MS);
  const fresh = `${directory}.new`;
  try {
    if (isComplete(directory)) return;
    fs.rmSync(fresh, { recursive: true, force: true });
    fs.mkdirSync(fresh, { mode: 0o700 });
    // The package unpacks into the shared temporary directory; a separate process can use another one.
    const script = `
      const { default: chromium, inflate } = await import(${JSON.stringify(entry)});
      await chromium.executablePath();
      await inflate(${JSON.stringify(path.join(bin, 'al2023.tar.br'))});`;
    await promisify(execFile)(nodePath, ['--input-type=module', '-e', script], {
      env: childEnvironment({ TMPDIR: fresh, NODE_OPTIONS: undefined }),
      timeout: UNPACK_LIMIT_MS,
    }).catch((error: Error & { stderr?: string }) => {
      throw new Error(whyNotUnpacked(error.stderr ?? '', directory), { cause: error });
    });
    fs.writeFileSync(path.join(fresh, 'fonts', 'wirebird.conf'), FONTS_CONF);
    fs.writeFileSync(path.join(fresh, SIZES), JSON.stringify(sizesIn(fresh)), { flush: true });
    fs.rmSync(directory, { recursive: true, force: true });
    fs.renameSync(fresh, directory);
    for (const name of fs.readdirSync(path.dirname(directory))) {
      if (/^chromium-[\d.]+$/.test(name) && name !== path.basename(directory)) {
        fs.rmSync(path.join(path.dirname(directory), name), { recursive: true, force: true });
      }
    }
  } finally {
    fs.rmSync(fresh, { recursive: true, force: true });
    unlock();
  }
}
