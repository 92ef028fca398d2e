import { expect, test } from 'vitest';
import { SendError, type SendFailure } from '#server/core/send-failures.ts';
import { certainFailure } from './dispatch-outcomes.ts';

test.each<[SendFailure, string]>([
  ['media_invalid', 'media_unusable'],
  ['media_too_large', 'media_too_large'],
  ['media_servers', 'send_failed'],
  ['media', 'send_failed'],
])('a file that WhatsApp Web cannot send for the reason %s fails with %s', (reason, errorCode) => {
  const failed = certainFailure(new SendError(true, reason, ''), { recipient: null });
  expect(failed).toMatchObject({ status: 'failed', errorCode });
});
