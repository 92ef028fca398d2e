import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

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

test('every test named on the security page exists', () => {
  expect(HELD_BY.length).toBeGreaterThan(40);
  const missing = HELD_BY.flatMap(({ file, names }) => {
    const at = path.join(ROOT, file);
    if (!fs.existsSync(at)) return [file];
    const text = fs.readFileSync(at, 'utf8');
    return names.filter((name) => !text.includes(name)).map((name) => `${file}: ${name}`);
  });
  expect(missing).toEqual([]);
});

test('every promise has a test', () => {
  const promises = PAGE.slice(PAGE.indexOf('## Promises'), PAGE.indexOf('## OWASP'));
  const rows = promises
    .split('\n')
    .filter((line) => /^\| (?!Promise \||-)/.test(line) && !line.startsWith('|---'));
  expect(rows.length).toBeGreaterThan(30);
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
  const rows = [...WALK.matchAll(/^\| V(\d+)\.(\d+)\.(\d+) \| (.+?) \| (.+) \|$/gm)];
  expect(rows.length).toBe(WALK.split('\n').filter((line) => line.startsWith('| V')).length);
  expect(rows.length).toBeGreaterThan(180);
  const places = rows.map(([, a, b, c]) => Number(a) * 10_000 + Number(b) * 100 + Number(c));
  expect(places).toEqual([...new Set(places)].sort((a, b) => a - b));
  const verdict = /^(?:met(?:$|: .)|(?:partly|not met|operator): .|–(?:$|: .))/;
  expect(rows.filter(([, , , , , here = '']) => !verdict.test(here)).map(([row]) => row)).toEqual([]);
});

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
