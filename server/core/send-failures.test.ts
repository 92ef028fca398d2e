import { expect, test } from 'vitest';
import { refusalSentence } from './send-failures.ts';

test('a refusal without a known reason says that nothing was sent, and who can send it again how', () => {
  const next =
    'Wait a minute, then repeat the request from your program, with the same Idempotency-Key if it had one, or press Send again in the dashboard. Do only one.';
  expect(refusalSentence(400)).toBe(
    `WhatsApp did not accept this message, and nothing was sent. Its reason is not known (WhatsApp’s own code 400). ${next}`,
  );
  expect(refusalSentence(null)).toBe(
    `WhatsApp did not accept this message, and nothing was sent. Its reason is not known. ${next}`,
  );
});

test('a refusal with a known reason gives it, and not the advice for an unknown one', () => {
  expect(refusalSentence(421, { toGroup: true })).toBe(
    'WhatsApp did not accept this message because the group’s members have changed. Nothing was sent. Send it again. (WhatsApp code 421.)',
  );
  expect(refusalSentence(421)).toBe(
    'WhatsApp did not accept this message because the recipient’s address at WhatsApp has changed. Nothing was sent. Send it again. (WhatsApp code 421.)',
  );
  expect(refusalSentence(429, { toGroup: true })).toBe(refusalSentence(429));
  for (const code of [421, 429, 463, 475, 479, 500]) expect(refusalSentence(code)).not.toContain('minute');
});
