import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { titlesBeginning } from './testing/titles-beginning.ts';

const ROOT = path.resolve(import.meta.dirname, '..');
const read = (file: string) => fs.readFileSync(path.join(ROOT, file), 'utf8');
const PAGE = read('docs/security.md');
const WALK = read('docs/security-asvs.md');
const MANIFEST = JSON.parse(read('package.json'));

/** Each test file that the page names, with the names of tests after it. */
const HELD_BY = [
  ...PAGE.matchAll(
    /`((?:[\w./-]+\.(?:test|spec)|e2e\/security\/attacks\/[\w-]+)\.ts)`((?:: “[^”]+”(?:, “[^”]+”)*)?)/g,
  ),
].map(([, file = '', names = '']) => ({
  file,
  names: [...names.matchAll(/“([^”]+)”/g)].map(([, name = '']) => name),
}));

interface Locked {
  version?: string;
  integrity?: string;
  hasInstallScript?: boolean;
}
const LOCKED = Object.entries<Locked>(JSON.parse(read('package-lock.json')).packages).filter(
  ([place]) => place !== '',
);

test('every test named on the security page exists, and the words that name it begin the title of no other', () => {
  expect(HELD_BY.length).toBeGreaterThan(40);
  const missing = HELD_BY.flatMap(({ file, names }) => {
    const at = path.join(ROOT, file);
    if (!fs.existsSync(at)) return [file];
    return names
      .filter((name) => titlesBeginning(name, fs.readFileSync(at, 'utf8')) !== 1)
      .map((name) => `${file}: ${name}`);
  });
  expect(missing).toEqual([]);
});

test('every promise has a test', () => {
  const promises = PAGE.slice(PAGE.indexOf('## Promises'), PAGE.indexOf('## How guessing'));
  const rows = promises.split('\n').filter((line) => line.startsWith('- '));
  expect(rows.length).toBeGreaterThan(75);
  expect(
    rows.filter((row) => !/`(?:[\w./-]+\.(?:test|spec)|e2e\/security\/attacks\/[\w-]+)\.ts`/.test(row)),
  ).toEqual([]);
});

test('every file and directory that the pages name exists', () => {
  const named = [
    ...(PAGE + WALK).matchAll(/`((?:server|worker|e2e|docs)\/[\w./-]+|[\w.-]+\.(?:js|json|ts))`/g),
  ].map(([, name = '']) => name);
  expect(named.length).toBeGreaterThan(100);
  expect(named.filter((name) => !fs.existsSync(path.join(ROOT, name)))).toEqual([]);
});

test('each row of the ASVS review appears once, in order, with a verdict and a reason', () => {
  const rows = [...WALK.matchAll(/^- (V[\d.]+) [^:]+: (.+)$/gm)];
  expect(rows.length).toBe(WALK.split('\n').filter((line) => line.startsWith('- V')).length);
  const verdict = /^(?:met|partly|not met|operator): ./;
  expect(rows.filter(([, , here = '']) => !verdict.test(here)).map(([row]) => row)).toEqual([]);
  const [met = [], not = []] = ['Met throughout: ', 'Does not apply: '].map((begins) => listedIn(begins));
  const tables = [rows.map(([, item = '']) => item), met, not];
  for (const items of tables) expect(items).toEqual(items.toSorted((a, b) => placeOf(a) - placeOf(b)));
  const all = tables.flat();
  expect(all).toEqual([...new Set(all)]);
  expect(all.length).toBeGreaterThan(215);
});

/** The items of the paragraph that begins so. "V1.2.3 to V1.2.5" are three; several sections at once count as their ends. */
const listedIn = (begins: string) => {
  const [, after = ''] = WALK.split(begins);
  const [paragraph = ''] = after.split('\n\n');
  return [...paragraph.matchAll(/(V[\d.]+\d)(?: to (V[\d.]+\d))?/g)].flatMap(([, from = '', to]) => {
    if (!to) return [from];
    const section = from.replace(/\d+$/, '');
    if (!to.startsWith(section)) return [from, to];
    const first = Number(from.slice(section.length));
    const count = Number(to.slice(section.length)) - first + 1;
    return Array.from({ length: count }, (_, at) => `${section}${first + at}`);
  });
};

const placeOf = (item: string) =>
  item
    .slice(1)
    .split('.')
    .reduce((sum, part) => sum * 100 + Number(part), 0);

test('each dependency has one exact version, the locked one, with its hash', () => {
  const versions = Object.entries<string>({ ...MANIFEST.dependencies, ...MANIFEST.devDependencies });
  expect(
    versions.filter(([, version]) => !/^(npm:[\w@/.-]+@)?\d+\.\d+\.\d+(-[\w.]+)?$/.test(version)),
  ).toEqual([]);
  const locked = LOCKED.map(([name, { version, integrity }]) => ({ name, version, integrity }));
  expect(locked.length).toBeGreaterThan(100);
  expect(locked.filter(({ version, integrity }) => !version || !/^sha512-/.test(integrity ?? ''))).toEqual(
    [],
  );
  for (const [name, version] of versions)
    expect(locked.find((one) => one.name === `node_modules/${name}`)?.version, name).toBe(
      version.replace(/^npm:.*@/, ''),
    );
});

test('an install script runs only if it is allowed by name, and each existing one was decided on', () => {
  const scripted = LOCKED.filter(([, { hasInstallScript }]) => hasInstallScript);
  const names = new Set(scripted.map(([place]) => place.replace(/^.*node_modules\//, '')));
  expect(Object.keys(MANIFEST.allowScripts).sort()).toEqual([...names].sort());
  // Node itself, which its package fetches; everything else works without.
  expect(Object.keys(MANIFEST.allowScripts).filter((name) => MANIFEST.allowScripts[name])).toEqual(['node']);
  // Without it, npm runs scripts that nobody decided on, and only warns.
  expect(read('.npmrc')).toMatch(/^strict-allow-scripts=true$/m);
});
