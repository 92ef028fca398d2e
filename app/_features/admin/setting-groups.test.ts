import { readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { SETTING_NAMES } from '#server/settings.ts';
import { operation } from './operation-words.ts';

const { groups } = operation.settings;

test('each setting is explained in one group', () => {
  const explained = groups.flatMap(({ meanings }) => Object.keys(meanings));
  expect(explained.toSorted()).toEqual([...SETTING_NAMES].toSorted());
});

test('the page of settings lists each setting once, except those for tests', () => {
  const page = readFileSync(path.join(import.meta.dirname, '../../../docs/configuration.md'), 'utf8');
  const rows = [...page.matchAll(/^\| (`[A-Z_`, ]+`) \|/gm)].map(([, names = '']) => names);
  const listed = rows.flatMap((names) => [...names.matchAll(/[A-Z_]+/g)].map(([name]) => name));
  const forTests = Object.keys(groups.at(-1)?.meanings ?? {});
  const expected = SETTING_NAMES.filter((name) => !forTests.includes(name));
  expect(listed.toSorted()).toEqual(expected.toSorted());
});
