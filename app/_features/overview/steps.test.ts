import { expect, test } from 'vitest';
import { showsPhone } from './steps.ts';

test('linking an own phone is no step while messages need attention', () => {
  expect(showsPhone({ linked: false, troubles: 0 })).toBe(true);
  expect(showsPhone({ linked: false, troubles: 1 })).toBe(false);
  // A step that is done stays in the list.
  expect(showsPhone({ linked: true, troubles: 1 })).toBe(true);
});
