import { globSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { LONG_TESTS } from './long-tests.ts';

const ROOT = path.join(import.meta.dirname, '../..');

test.each(LONG_TESTS.flatMap(({ files }) => files))('%s names test files that exist', (glob) => {
  const files = globSync(glob, { cwd: ROOT });
  expect(files.length).toBeGreaterThan(0);
  expect(files.filter((file) => !/\.(test|spec)\.ts$/.test(file))).toEqual([]);
});
