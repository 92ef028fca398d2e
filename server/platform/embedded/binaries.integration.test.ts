import { execFileSync } from 'node:child_process';
import fs from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { serverAccount } from './account.ts';
import { findBinaries, findPackage } from './binaries.ts';
import { homeAt } from './home.ts';

const place = fs.mkdtempSync(path.join(os.tmpdir(), 'wirebird-binaries-'));
const home = homeAt(path.join(place, 'home'));
const made: string[] = [place];
afterAll(() => {
  for (const dir of made) fs.rmSync(dir, { recursive: true, force: true });
});

const isRoot = process.getuid?.() === 0;

/** The package as an install without scripts leaves it, in a directory that only its owner may enter. */
function installWithoutScripts() {
  const { native, version } = findPackage();
  const copy = path.join(place, 'project', 'native');
  fs.cpSync(native, copy, {
    recursive: true,
    verbatimSymlinks: true,
    filter: (source) => !fs.lstatSync(source).isSymbolicLink(),
  });
  fs.chmodSync(path.join(place, 'project'), 0o700);
  return { native: copy, version };
}

test('the denied install script’s work is done in a place where the server account can run it', () => {
  const installed = installWithoutScripts();
  const account = serverAccount(home);
  const { postgres, major } = findBinaries(home, account, installed);
  if (isRoot) made.push(path.resolve(postgres, '../..'));
  // Root's server runs as another user, who cannot enter the project, so it gets its own copy.
  expect(postgres.startsWith(installed.native)).toBe(!isRoot);
  const version = execFileSync(postgres, ['--version'], { ...account, cwd: '/', encoding: 'utf8' });
  expect(version).toContain(`(PostgreSQL) ${major}.`);
  const again = findBinaries(home, account, installed);
  expect(again.postgres).toBe(postgres);
  if (!isRoot) return;
  // An incomplete copy is made again.
  const { size } = fs.statSync(postgres);
  fs.truncateSync(postgres, 1000);
  expect(findBinaries(home, account, installed).postgres).toBe(postgres);
  expect(fs.statSync(postgres).size).toBe(size);
});

test('a package that does not run is refused in one line with the remedy, and leaves no copy', () => {
  const native = path.join(place, 'empty');
  fs.mkdirSync(native);
  const attempt = () => findBinaries(home, serverAccount(home), { native, version: '18.0.0' });
  expect(attempt).toThrow(/cannot be run \(.+\): set DATABASE_URL to a PostgreSQL of your own\.$/);
  const copies = ['/var/tmp', os.tmpdir(), home.root]
    .filter((base) => fs.existsSync(base))
    .flatMap((base) => fs.readdirSync(base));
  expect(copies.filter((name) => name.startsWith('wirebird-postgres-18.0.0-'))).toEqual([]);
});
