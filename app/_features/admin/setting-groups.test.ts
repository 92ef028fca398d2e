import { expect, test } from 'vitest';
import { SETTING_NAMES } from '#server/settings.ts';
import { operation } from './operation-words.ts';

test('each setting is explained in one group', () => {
  const explained = operation.settings.groups.flatMap(({ meanings }) => Object.keys(meanings));
  expect(explained.toSorted()).toEqual([...SETTING_NAMES].toSorted());
});
