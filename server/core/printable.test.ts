import fc from 'fast-check';
import { expect, test } from 'vitest';
import { clip, escapeControls, escapeControlsInLines, loggable } from './printable.ts';

const CONTROLS = /[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/u;

test('no text prints a control character to the terminal', () => {
  expect(escapeControls('a\u001b[2Jb\r\nc\u009b31m\u202ed\u007f')).toBe(
    'a\\u001b[2Jb\\u000d\\u000ac\\u009b31m\\u202ed\\u007f',
  );
  expect(escapeControlsInLines('one\ntwo\u0007')).toBe('one\ntwo\\u0007');
  expect(escapeControls('Grüße 👩‍🚀 اهلا')).toBe('Grüße 👩‍🚀 اهلا');
});

test('a log line keeps its record, with every control character escaped', () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.string({ unit: 'binary', maxLength: 40 })), (record) => {
      const line = loggable(JSON.stringify(record));
      expect(line).not.toMatch(CONTROLS);
      if (JSON.stringify(record).length <= 500) expect(JSON.parse(line)).toEqual(record);
    }),
  );
});

test('every long text in a log record is cut, wherever it stands', () => {
  const long = 'x'.repeat(8_000_000);
  for (const record of [
    { msg: long },
    { msg: 'm', code: long },
    { msg: 'm', err: { message: long, stack: long, cause: { message: long } } },
    { msg: 'm', list: Array.from({ length: 10_000 }, () => 'y'.repeat(400)) },
    Object.fromEntries(Array.from({ length: 10_000 }, (_, i) => [`name-${i}`, 'z'])),
  ]) {
    const line = loggable(JSON.stringify({ level: 'warn', time: 'now', ...record }));
    expect(line.length).toBeLessThan(16_100);
    expect(JSON.parse(line)).toMatchObject({ level: 'warn', time: 'now' });
  }
  expect(JSON.parse(loggable(JSON.stringify({ msg: long }))).msg).toBe(
    `${'x'.repeat(500)}… (8000000 characters)`,
  );
});

test('a cut never splits a character', () => {
  expect(clip(`${'a'.repeat(499)}😀${'b'.repeat(100)}`, 500).isWellFormed()).toBe(true);
});
