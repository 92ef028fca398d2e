import { execFileSync } from 'node:child_process';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { expect, test } from 'vitest';
import { nodePath } from './node.ts';

const FAST_IMPORTS = pathToFileURL(path.join(import.meta.dirname, 'fast-imports.ts')).href;

/** The names that a module exports in a process with these arguments. */
function exportsOf(module: string, ...args: string[]): string[] {
  const script = `console.log(JSON.stringify(Object.keys(await import('${module}'))))`;
  const run = execFileSync(nodePath, [...args, '--input-type=module', '-e', script], {
    cwd: import.meta.dirname,
    encoding: 'utf8',
  });
  return JSON.parse(run);
}

test.each([
  'drizzle-orm',
  'drizzle-orm/pg-core',
  'drizzle-orm/node-postgres',
  'drizzle-orm/postgres-js/migrator',
])('%s is loaded as CommonJS, with everything that its ES module exports', (module) => {
  const fast = exportsOf(module, '--import', FAST_IMPORTS);
  expect(fast).toContain('module.exports');
  expect(fast).toEqual(expect.arrayContaining(exportsOf(module)));
});
