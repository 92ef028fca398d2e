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

test('the note about disconnected clients says what became of their messages', () => {
  const { hungUp } = requestsNote;
  expect(hungUp({ requests: 3, messages: 1, sent: 1 })).toMatch(
    /^In the last hour your program disconnected from 3 requests before the response\. They made 1 message, which was sent once\. Set/,
  );
  expect(hungUp({ requests: 2, messages: 2, sent: 2 })).toContain(
    'They made 2 messages, and each was sent once.',
  );
  expect(hungUp({ requests: 2, messages: 2, sent: 1 })).toContain(
    'They made 2 messages, of which 1 is confirmed as sent. Disconnecting does not cancel the others.',
  );
  expect(hungUp({ requests: 3, messages: 1, sent: 0 })).toContain(
    'They made 1 message, which is not confirmed as sent yet. Disconnecting does not cancel it.',
  );
  expect(hungUp({ requests: 1, messages: 0, sent: 0 })).toContain('They made no message.');
});
