import { expect, test } from 'vitest';
import { isProblem, readLogLine } from './log-line.ts';

const now = new Date('2026-01-02T03:04:05.000Z');

test('a JSON line is shown as its message, the causes of its error and its fields', () => {
  const line = JSON.stringify({
    level: 'warn',
    time: '2026-01-01T00:00:00.000Z',
    numberId: 'num_1',
    tries: 2,
    msg: 'session ended',
    err: { name: 'Error', message: 'page crashed', stack: 'at x', cause: { message: 'out of memory' } },
  });
  expect(readLogLine(line, 'error', now)).toEqual({
    level: 'warn',
    plain: false,
    text: 'session ended: page crashed: out of memory (numberId=num_1, tries=2)',
    json: line,
  });
});

test.each(['plain text', '{"half":', '[1]', '{"no":"level"}', 'null'])('%j is kept as JSON', (line) => {
  const read = readLogLine(line, 'error', now);
  expect(read).toMatchObject({ level: 'error', plain: true, text: line });
  expect(JSON.parse(read.json)).toEqual({ level: 'error', time: now.toISOString(), msg: line });
});

test('warnings and errors count as problems, and nothing else', () => {
  const levels = ['trace', 'debug', 'info', 'warn', 'error', 'fatal'];
  const shown = levels.filter((level) => isProblem(readLogLine(JSON.stringify({ level, msg: '' }), 'info')));
  expect(shown).toEqual(['warn', 'error', 'fatal']);
});

test('a stranger’s text is cut in the log and on screen, and contains no control character', () => {
  const sent = `\u001b]0;owned\u0007\u009b2J\u202e${'x'.repeat(1_000_000)}`;
  for (const line of [JSON.stringify({ level: 'warn', time: 'now', msg: 'm', sent }), sent]) {
    const read = readLogLine(line, 'error', now);
    expect(read.json.length).toBeLessThan(2_000);
    expect(read.text.length).toBeLessThan(2_000);
    expect(read.json).not.toMatch(/[\p{Cc}\p{Bidi_Control}]/u);
    expect(JSON.parse(read.json)).toMatchObject({ level: expect.any(String), time: expect.any(String) });
  }
});
