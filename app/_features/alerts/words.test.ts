import { expect, test } from 'vitest';
import { setsUpMail } from './words.ts';

test('an administrator does not read that the administrator can do it', () => {
  expect(setsUpMail(true)).toBe('You can set one up (SMTP_URL).');
  expect(setsUpMail(false)).toBe('The administrator can set one up (SMTP_URL).');
});
