import { expect, test } from 'vitest';
import { ANY_SENTENCE as ANY, withoutSentences } from './random-sentences.ts';

const replaced = (code: string) => withoutSentences('a.ts', code);

test('a sentence is replaced wherever it stands, in a table each time that it is read', () => {
  expect(replaced("export const LOST = 'The connection was lost.';")).toBe(`export const LOST = ${ANY};`);
  expect(replaced("const TABLE = { lost: 'The connection was lost.' } as const;")).toBe(
    `const TABLE = { get lost() { return ${ANY}; } } as const;`,
  );
  expect(replaced('const say = (n: number) => `It waits for $' + '{n} seconds.`;')).toBe(
    `const say = (n: number) => ${ANY};`,
  );
});

test('codes, names, SQL, types and imports stay', () => {
  for (const code of [
    "const code = 'not_connected';",
    "const label = 'Try again';",
    'const rows = sql`select 1. Select it.`;',
    "type Lost = 'The connection was lost.';",
    "import { a } from './A file of two. Words';",
  ])
    expect(replaced(code)).toBeNull();
});
