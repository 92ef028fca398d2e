import { expect, test } from 'vitest';
import { requestsNote } from './requests-words.ts';

test('the note about refused requests counts them and names people', () => {
  const { refused } = requestsNote;
  expect(refused({ count: 1, more: false, to: ['+49 151'], others: 0 })).toMatch(
    /^1 request to send was refused in the last 24 hours, to \+49 151\. Nothing was sent/,
  );
  expect(refused({ count: 7, more: false, to: ['+49 151', '+49 152'], others: 3 })).toMatch(
    /^7 requests to send were refused .*, to \+49 151, \+49 152 and 3 more\./,
  );
  expect(refused({ count: 1000, more: true, to: [], others: 0 })).toMatch(
    /^1,000 or more requests to send were refused/,
  );
});
