import fs from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { titlesBeginning } from './testing/titles-beginning.ts';

/** The pages on what is known of WhatsApp Web and what the sandbox simulates: whatever they point to exists. */

const ROOT = path.resolve(import.meta.dirname, '..');
const read = (file: string) => fs.readFileSync(path.join(ROOT, file), 'utf8');
const FACTS = read('docs/whatsapp-web.md');
const SANDBOX = read('docs/sandbox.md');
const CHECKLIST = read('docs/real-number-checklist.md');

/** The files that a name stands for. Tests are named from `worker/`, without their ending. */
const filesOf = (name: string) =>
  [name, `worker/${name}.integration.test.ts`, `worker/${name}.test.ts`].filter((file) =>
    fs.existsSync(path.join(ROOT, file)),
  );

const FOLDERS = 'worker|server|e2e|docs|engine|sandbox|numbers|profiles';
/** Each file that a text names, with the tests named after it. */
const namedIn = (text: string) =>
  [...text.matchAll(new RegExp(`\`((?:${FOLDERS})/[\\w./-]+)\`((?:,? “[^”]+”)*)`, 'g'))].map(
    ([, name = '', titles = '']) => ({
      name,
      titles: [...titles.matchAll(/“([^”]+)”/g)].map(([, title = '']) => title),
    }),
  );

test.each([
  ['docs/whatsapp-web.md', FACTS, 60],
  ['docs/sandbox.md', SANDBOX, 60],
])('every test that %s names exists, and the words that name it begin no other title', (_, page, most) => {
  const named = namedIn(page);
  expect(named.length).toBeGreaterThan(most);
  const missing = named.flatMap(({ name, titles }) => {
    const files = filesOf(name);
    if (files.length === 0) return [name];
    const text = titles.length > 0 ? files.map(read).join('\n') : '';
    return titles.filter((title) => titlesBeginning(title, text) !== 1).map((title) => `${name}: ${title}`);
  });
  expect(missing).toEqual([]);
});

/** The facts, each with its tests. */
const held = FACTS.split('\n## What held')[0]?.match(/^- .+$/gm) ?? [];

test('every fact of WhatsApp Web names its test, or the step of the checklist that shows it', () => {
  expect(held.length).toBeGreaterThan(50);
  expect(held.filter((fact) => namedIn(fact).length === 0 && !/\b(step \d+|row [a-z])\b/.test(fact))).toEqual(
    [],
  );
});

test('every step and row of the checklist that is named exists', () => {
  const steps = held.flatMap((fact) => [...fact.matchAll(/\bstep (\d+)/g)].map(([, n]) => n));
  const rows = held.flatMap((fact) => [...fact.matchAll(/\brow ([a-z])\b/g)].map(([, letter]) => letter));
  expect(steps.filter((n) => !CHECKLIST.includes(`\n${n}. `))).toEqual([]);
  expect(rows.filter((letter) => !CHECKLIST.includes(`\n- ${letter}: `))).toEqual([]);
});
