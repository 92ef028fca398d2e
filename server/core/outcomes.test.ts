import { expect, test } from 'vitest';
import { errorCodeOf, OUTCOMES, type OutcomeCode, outcomeOf, parseOutcomeCode } from './outcomes.ts';

const CODES = Object.keys(OUTCOMES) as OutcomeCode[];

test('codes are lower-case words, for headers and rows', () => {
  for (const code of CODES) expect(code).toMatch(/^[a-z]+(_[a-z]+)*$/);
});

test('a stored code is read as is, and a code unknown to this version as a failed send', () => {
  for (const code of CODES) expect(parseOutcomeCode(code)).toBe(code);
  for (const unknown of ['of_a_later_version', 'toString', '']) {
    expect(parseOutcomeCode(unknown)).toBe('send_failed');
  }
});

test('a case of another error keeps that error’s status and advice', () => {
  const cases = CODES.filter((code) => errorCodeOf(code) !== code);
  expect(cases).toContain('key_revoked');
  for (const code of cases) {
    const { status, retry } = outcomeOf(errorCodeOf(code));
    expect(outcomeOf(code), code).toMatchObject({ status, retry });
  }
});

test('an error of a limit says when to repeat, and no limit is permanent', () => {
  const outcomes = CODES.map(outcomeOf);
  expect(outcomes.filter(({ limit }) => limit).length).toBeGreaterThan(0);
  for (const { status, retry, limit } of outcomes) {
    if (limit) expect({ status, retry }).toEqual({ status: 429, retry: 'repeat' });
    if (status === 429) expect(limit).toBeDefined();
  }
});

/** Each sentence of the table that needs no details. */
function sentencesIn(says: unknown): string[] {
  if (typeof says === 'string') return [says];
  return typeof says === 'object' && says !== null ? Object.values(says).flatMap(sentencesIn) : [];
}

test('no sentence occurs twice, and each is a full sentence', () => {
  const sentences = CODES.flatMap((code) => sentencesIn(outcomeOf(code).says));
  expect(sentences.length).toBeGreaterThan(30);
  expect(new Set(sentences).size).toBe(sentences.length);
  for (const sentence of sentences) expect(sentence).toMatch(/^[A-Z].*\.$/);
});

test('a message that may have arrived says where to look before it is sent again', () => {
  const { missing, unconfirmed, lost, restoredWaiting, restoredSending } = OUTCOMES.send_unknown.says;
  for (const sentence of [missing, unconfirmed, lost, restoredWaiting, restoredSending])
    expect(sentence).toMatch(
      /[Ll]ook at the chat on the phone that sends for this number, not the recipient’s, before you send it again\.$/,
    );
});
