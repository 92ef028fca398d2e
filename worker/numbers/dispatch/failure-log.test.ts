import { expect, test } from 'vitest';
import type { MessageContent } from '#server/core/message.ts';
import { personOf, type Recipient } from '#server/core/recipient.ts';
import { SendError } from '#server/core/send-failures.ts';
import type { ClaimedMessage } from '#server/messages/queries/claim.ts';
import { UNCONFIRMED } from './dispatch-outcomes.ts';
import { failureLine } from './failure-log.ts';

const PHONE = '4915228817386';
const claimed = (content: MessageContent) =>
  ({
    ...{ id: 'msg_1', waMessageId: '3EB0AB', requestId: 'req_1', content },
    recipient: personOf(PHONE) as Recipient,
  }) as ClaimedMessage;
const lineOf = (content: MessageContent, message: string) =>
  failureLine(claimed(content), UNCONFIRMED, {
    failure: new SendError(false, 'timeout', message, { step: 'in its job' }),
    build: '2.3000.7',
  });

test('a failure is logged with its cause and build', () => {
  const text = "TypeError: Cannot read properties of undefined (reading 'id')";
  expect(lineOf({ type: 'text', body: 'Your code is 1234' }, text)).toEqual({
    ...{ messageId: 'msg_1', requestId: 'req_1', waMessageId: '3EB0AB', code: 'send_unknown' },
    ...{ reason: 'timeout', step: 'in its job', build: '2.3000.7', cause: text },
  });
});

test.each<[MessageContent, string, string]>([
  [
    { type: 'text', body: 'Your code\nis 1234' },
    `SyntaxError: "is 1234" for ${PHONE}@c.us, Your code`,
    'SyntaxError: "[text]" for [recipient], [text]',
  ],
  [
    { type: 'contact', contactName: 'Ann Heron', contactPhone: '+4915111111111' },
    'Error: BEGIN:VCARD FN:Ann Heron TEL:+4915111111111',
    'Error: BEGIN:VCARD FN:[text] TEL:[text]',
  ],
  [{ type: 'text', body: 'a' }, 'Error: a failure', 'Error: a failure'],
])('a page that quotes a message does not put it into the log', (content, quoted, logged) => {
  expect(lineOf(content, quoted).cause).toBe(logged);
});
