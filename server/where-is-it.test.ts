import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const ROOT = path.join(import.meta.dirname, '..');
const read = (file: string) => readFileSync(path.join(ROOT, file), 'utf8');

/** The rows of "Where is it?": question, and the words in backquotes of the answer. */
const rows = read('docs/architecture.md')
  .split('## Where is it?')[1]
  ?.split('\n## ')[0]
  ?.split('\n')
  .filter((line) => line.startsWith('| ') && !line.startsWith('| Question'))
  .map((line) => {
    const [, question = '', answer = ''] = line
      .split(' | ')
      .flatMap((cell, n) => (n === 0 ? ['', cell] : [cell]));
    return {
      question: question.slice(2),
      names: [...answer.matchAll(/`([^`]+)`/g)].map(([, name = '']) => name),
    };
  });

test('the table has its questions', () => expect(rows?.length).toBeGreaterThan(10));

test.each(rows ?? [])('$question names files that exist, and what they hold', ({ names }) => {
  const files = names.filter((name) => name.includes('/') && existsSync(path.join(ROOT, name)));
  expect(files).not.toEqual([]);
  expect(names.filter((name) => /\/.*\.tsx?$/.test(name) && !files.includes(name))).toEqual([]);
  const text = files
    .filter((file) => /\.tsx?$/.test(file))
    .map(read)
    .join('\n');
  const symbols = names.filter((name) => /^#?[a-zA-Z]+$/.test(name) && !WORDS.has(name));
  expect(symbols.filter((symbol) => !definitionOf(symbol).test(text))).toEqual([]);
});

/** A declaration, a member or a field: an import of the symbol is not enough. */
const definitionOf = (symbol: string) =>
  new RegExp(
    `(function\\*?|class|const|interface|type) ${symbol}\\b|^ +(async |readonly )*${symbol}\\b[(<?:=]`,
    'm',
  );

/** Words in backquotes that are not symbols of a file. */
const WORDS = new Set(['queued', 'sending', 'failed', 'unknown', 'queries']);
