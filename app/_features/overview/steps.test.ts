import { expect, test } from 'vitest';
import { showsPhone } from './steps.ts';

test('linking an own phone is a step only until a number is linked, and not while messages need attention', () => {
  const [empty, linked] = [{ phoneText: null }, { phoneText: '+999 088 398 185' }];
  expect(showsPhone({ linked: false, numbers: [empty], troubles: 0 })).toBe(true);
  expect(showsPhone({ linked: false, numbers: [empty, linked], troubles: 0 })).toBe(false);
  expect(showsPhone({ linked: false, numbers: [], troubles: 1 })).toBe(false);
  // A step that is done stays in the list.
  expect(showsPhone({ linked: true, numbers: [linked], troubles: 1 })).toBe(true);
});
