import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const ROOT = path.resolve(import.meta.dirname, '..');
const PAGE = fs.readFileSync(path.join(ROOT, 'docs/security.md'), 'utf8');

/** Each test file that the page names, with the names of tests after it. */
const HELD_BY = [
  ...PAGE.matchAll(
    /`((?:[\w./-]+\.(?:test|spec)|e2e\/security\/attacks\/[\w-]+)\.ts)`((?:: “[^”]+”(?:, “[^”]+”)*)?)/g,
  ),
].map(([, file = '', names = '']) => ({
  file,
  names: [...names.matchAll(/“([^”]+)”/g)].map(([, name = '']) => name),
}));

test('every test that the page on security names is there', () => {
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

test('every file and directory that the page points at is there', () => {
  const named = [...PAGE.matchAll(/`((?:server|worker|e2e|docs)\/[\w./-]+|proxy\.ts|package\.json)`/g)].map(
    ([, name = '']) => name,
  );
  expect(named.filter((name) => !fs.existsSync(path.join(ROOT, name)))).toEqual([]);
});

test('dependencies are of one exact version each', () => {
  const manifest = JSON.parse(fs.readFileSync(path.join(ROOT, 'package.json'), 'utf8'));
  const versions = Object.entries<string>({ ...manifest.dependencies, ...manifest.devDependencies });
  expect(
    versions.filter(([, version]) => !/^(npm:[\w@/.-]+@)?\d+\.\d+\.\d+(-[\w.]+)?$/.test(version)),
  ).toEqual([]);
});
