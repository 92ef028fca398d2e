import { expect, test } from 'vitest';
import { CheckRecipientsRequest } from './check-recipients.types.ts';

const TO = '4915228817386';
const FORM = 'must be a number in international format: digits only, country code first, no +.';

test.each([
  [{}, /^to is missing\. Send a phone number .*, or a list of 1 to 50 of them\.$/],
  [{ to: 5 }, /^to must be a phone number in international format \(.*\), or a list of 1 to 50 of them\.$/],
  [{ to: `+${TO}` }, `to ${FORM} Send ${TO} instead.`],
  [{ to: '123456789012345678@g.us' }, `to ${FORM}`],
  [{ to: [] }, 'to must have 1 to 50 phone numbers; it has 0.'],
  [{ to: Array(51).fill(TO) }, 'to must have 1 to 50 phone numbers; it has 51.'],
  [{ to: [TO, '+49 152 28817386'] }, `to[1] ${FORM} Send ${TO} instead.`],
  [{ to: [TO, TO, ''] }, `to[2] ${FORM}`],
  [{ to: [5, TO] }, 'to[0] must be a string: a phone number in international format.'],
  [{ to: [TO, [TO]] }, 'to[1] must be a string: a phone number in international format.'],
])('%j is refused, and the error names the entry', (body, sentence) => {
  const [issue] = CheckRecipientsRequest.safeParse(body).error?.issues ?? [];
  expect(issue?.message).toEqual(typeof sentence === 'string' ? sentence : expect.stringMatching(sentence));
});

test('one phone number, and a list of up to 50, are accepted', () => {
  for (const to of [TO, [TO], Array(50).fill(TO)]) {
    expect(CheckRecipientsRequest.parse({ to })).toEqual({ to });
  }
});
