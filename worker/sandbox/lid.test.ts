import fc from 'fast-check';
import { expect, test } from 'vitest';
import { lidOf, phoneOfLid } from './lid.ts';

test('every phone number has a LID of 15 digits, from which the sandbox finds the number again', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[1-9]\d{6,14}$/), (phone) => {
      const lid = lidOf(phone);
      expect(lid).toMatch(/^\d{15}@lid$/);
      expect(phoneOfLid(lid)).toBe(phone);
    }),
  );
});

test('a LID does not show the number', () => {
  expect(lidOf('491700000001')).not.toContain('491700000001');
});
