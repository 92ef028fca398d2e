import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { MODULES } from './modules.ts';

test('the modules of a bug report are those that scripts of ours ask the page for', () => {
  const used = fs
    .readdirSync(import.meta.dirname)
    .filter((name) => name.endsWith('.ts') && !name.includes('.test.'))
    .flatMap((name) => {
      if (name === 'modules.ts') return [];
      const source = fs.readFileSync(path.join(import.meta.dirname, name), 'utf8');
      return [...source.matchAll(/'(WA\w+)'/g)].map(([, module]) => module);
    });
  expect(MODULES).toEqual([...new Set(used)].sort());
});
