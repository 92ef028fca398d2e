import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { withGraph } from '../scripts/import-graph.ts';

test('the picture of the architecture shows the imports as they are (npm run docs:graph draws it again)', () => {
  const text = fs.readFileSync(path.join(import.meta.dirname, '../CONTRIBUTING.md'), 'utf8');
  expect(withGraph(text)).toBe(text);
});
