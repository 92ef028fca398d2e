import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import puppeteer from 'puppeteer';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { AppError } from '#server/core/errors.ts';
import { type Browser, resolveBrowser } from './browser.ts';
import { unpackBrowser } from './bundled-browser.ts';

const dataDir = fs.mkdtempSync(path.join(os.tmpdir(), 'wirebird-browser-'));
afterAll(() => fs.rmSync(dataDir, { recursive: true, force: true }));

const empty = path.join(dataDir, 'empty');
const installed = path.join(dataDir, 'installed');
const broken = path.join(dataDir, 'broken');
const other = path.join(dataDir, 'other-browser');

function script(file: string, text: string) {
  fs.mkdirSync(path.dirname(file), { recursive: true });
  fs.writeFileSync(file, `#!/bin/sh\n${text}\n`, { mode: 0o755 });
}

beforeAll(async () => {
  // Two processes that start at the same time share one unpacked copy.
  const [bundled] = await Promise.all([unpackBrowser(dataDir), unpackBrowser(dataDir)]);
  fs.mkdirSync(empty);
  const libraries = bundled.libraries.LD_LIBRARY_PATH;
  const real = `LD_LIBRARY_PATH=${libraries} exec ${bundled.executablePath} "$@"`;
  script(path.join(installed, 'chromium'), real);
  script(path.join(broken, 'chromium-headless-shell'), 'echo "libnss3.so: cannot open" >&2; exit 127');
  script(other, real);
});

async function rejection(work: Promise<unknown>): Promise<AppError> {
  const error = await work.then(
    () => new Error('it did not fail'),
    (reason) => reason,
  );
  expect(error).toBeInstanceOf(AppError);
  return error;
}

test('CHROMIUM_PATH comes before any installed browser', async () => {
  const found = await resolveBrowser({ chromiumPath: other, dataDir, searchIn: [installed] });
  expect(found).toMatchObject({ executablePath: other, kind: 'configured', headless: true });
  expect(found.version).toMatch(/^\d+\.\d+\.\d+\.\d+$/);
});

test('an unusable CHROMIUM_PATH is an error, and no other browser is used', async () => {
  const missing = path.join(dataDir, 'missing');
  const error = await rejection(resolveBrowser({ chromiumPath: missing, dataDir, searchIn: [installed] }));
  expect(error.message).toMatch(/^CHROMIUM_PATH is .+missing, which cannot be used: .*ENOENT.*Correct it/);
  const silent = path.join(broken, 'chromium-headless-shell');
  const other = await rejection(resolveBrowser({ chromiumPath: silent, dataDir, searchIn: [] }));
  expect(other.message).toContain('libnss3.so: cannot open');
});

test('an installed browser comes before the bundled one, and one that does not run is skipped', async () => {
  const found = await resolveBrowser({ dataDir, searchIn: [broken, installed] });
  expect(found).toMatchObject({ executablePath: path.join(installed, 'chromium'), kind: 'installed' });
});

test('the bundled browser is used where none is installed: it starts and renders text', async () => {
  const found = await resolveBrowser({ dataDir, searchIn: [empty] });
  expect(found).toMatchObject({ kind: 'bundled', headless: 'shell' });
  expect(path.dirname(path.dirname(found.executablePath))).toBe(dataDir);
  expect(await textWidth(found)).toBeGreaterThan(10);
});

test('an incompletely unpacked browser is unpacked again', async () => {
  const { executablePath } = await unpackBrowser(dataDir);
  const { size } = fs.statSync(executablePath);
  // Replaced, because a running executable cannot be written to.
  fs.rmSync(executablePath);
  fs.writeFileSync(executablePath, 'cut short');
  fs.rmSync(path.join(path.dirname(executablePath), 'fonts'), { recursive: true });
  const found = await resolveBrowser({ dataDir, searchIn: [empty] });
  expect(found.kind).toBe('bundled');
  expect(fs.statSync(executablePath).size).toBe(size);
});

test('the bundled browser is refused where no font can be found, with what to do', async () => {
  const place = path.join(dataDir, 'no-fonts');
  const { executablePath } = await unpackBrowser(place);
  const fonts = path.join(path.dirname(executablePath), 'fonts', 'fonts');
  const resolve = () => resolveBrowser({ dataDir: place, searchIn: [empty], machineFonts: [empty] });
  expect((await resolve()).kind).toBe('bundled');
  for (const file of fs.globSync(path.join(fonts, '**/*.ttf'))) fs.rmSync(file);
  // As a package without fonts is unpacked.
  const sizes = path.join(path.dirname(executablePath), 'sizes.json');
  const kept = Object.entries(JSON.parse(fs.readFileSync(sizes, 'utf8'))).filter(
    ([name]) => !name.endsWith('.ttf'),
  );
  fs.writeFileSync(sizes, JSON.stringify(Object.fromEntries(kept)));
  expect((await rejection(resolve())).message).toMatch(
    /bundled browser: no font was found in .* Install one \(Debian/,
  );
  fs.rmSync(place, { recursive: true });
});

test('an older version and an incomplete one are replaced by the right version', async () => {
  const place = path.join(dataDir, 'upgraded');
  const bundled = path.basename(path.dirname((await unpackBrowser(dataDir)).executablePath));
  for (const name of ['chromium-1.0.0', `${bundled}.new`])
    fs.mkdirSync(path.join(place, name), { recursive: true });
  await unpackBrowser(place);
  expect(fs.readdirSync(place)).toEqual([bundled]);
  fs.rmSync(place, { recursive: true });
});

test('the browser gets none of our secrets, and keeps its caches below the data directory', async () => {
  const { env } = await resolveBrowser({ dataDir, searchIn: [installed] });
  expect(Object.keys(env).filter((name) => /SECRET|PEPPER|DATABASE/.test(name))).toEqual([]);
  expect(env.HOME).toBe(path.join(dataDir, 'browser'));
});

test('a browser that runs short of disk never deletes what its page has stored', async () => {
  const { args, executablePath } = await resolveBrowser({ dataDir, searchIn: [empty] });
  // Chromium ignores a setting that it does not know, so its executable must contain each name.
  const setting = /StorageQuotaSettings:[^,]+/.exec(args.join(' '))?.[0] ?? '';
  expect(setting).toMatch(/RemainAvailableBytes\/0/);
  const program = fs.readFileSync(executablePath);
  for (const name of setting.match(/[a-z]+/gi) ?? []) expect(program.includes(name), name).toBe(true);
});

test('only root runs without the sandbox, which cannot work there', async () => {
  const { args } = await resolveBrowser({ dataDir, searchIn: [installed] });
  expect(args.includes('--no-sandbox')).toBe(process.getuid?.() === 0);
});

async function textWidth(browser: Browser): Promise<number> {
  const running = await puppeteer.launch({
    executablePath: browser.executablePath,
    headless: browser.headless,
    args: browser.args,
    env: browser.env,
    pipe: true,
    userDataDir: fs.mkdtempSync(path.join(dataDir, 'profile-')),
  });
  try {
    const page = await running.newPage();
    await page.setContent('<span>rendered</span>');
    return await page.$eval('span', (span) => span.getBoundingClientRect().width);
  } finally {
    await running.close();
  }
}
