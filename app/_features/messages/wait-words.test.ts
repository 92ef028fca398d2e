import { expect, test } from 'vitest';
import { waitSentence } from './wait-words.ts';

const pace = { sendIntervalSeconds: 8, protected: false };
const say = (
  waitedMs: number | null,
  turnsBefore: number,
  of: typeof pace | undefined = pace,
  firstTurnMs: number | null = null,
) => waitSentence({ waitedMs, turnsBefore, firstTurnMs }, of)?.replaceAll('\u00a0', ' ');

test('a message that waited says how long, how many came first, and the interval', () => {
  expect(say(16_800, 2)).toBe(
    'The message waited 17 s for its turn: 2 other messages of this number came first. The number sends one message every 8 s.',
  );
  expect(say(6_300, 0)).toBe('The message waited 6 s for its turn. The number sends one message every 8 s.');
  expect(say(1_800_000, 100)).toMatch(/: at least 100 other messages of this number came first\./);
  expect(say(16_800, 1, { ...pace, protected: true })).toMatch(
    /: 1 other message of this number came first\. .* every 8 to 11 s\.$/,
  );
});

test('how long the first of the others waited is named, so that the wait adds up', () => {
  expect(say(32_000, 3, pace, 8_000)).toBe(
    'The message waited 32 s for its turn: 3 other messages of this number came first, and the first of them waited 8 s itself. The number sends one message every 8 s.',
  );
  expect(say(14_000, 1, pace, 6_000)).toMatch(
    /: 1 other message of this number came first and waited 6 s itself\./,
  );
  expect(say(24_000, 3, pace, 40)).toMatch(/ came first\. /);
});

test('a wait that the interval does not explain says only how long it was', () => {
  expect(say(600_000, 0)).toBe('The message waited 10 min for its turn.');
  expect(waitSentence({ waitedMs: 16_800, turnsBefore: 2, firstTurnMs: null }, undefined)).not.toContain(
    'every',
  );
});

test('a message that did not wait says nothing', () => {
  expect([say(null, 0), say(400, 0)]).toEqual([undefined, undefined]);
});
