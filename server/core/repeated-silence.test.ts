import { expect, test } from 'vitest';
import { RepeatedSilence } from './repeated-silence.ts';

/** Whether the last of these messages shows that the page does not send: `u` unknown, `n` not started, `a` answered. */
function isStuckAfter(row: string): boolean {
  const silence = new RepeatedSilence();
  let isStuck = false;
  for (const [n, kind] of [...row].entries()) {
    if (kind === 'a') silence.answered();
    else isStuck = silence.add(`id${n}`, { started: kind === 'u' });
  }
  return isStuck;
}

test.each(['nn', 'unn', 'uuu', 'nuu', 'unu', 'uun', 'auuu', 'nann'])('%s: the page does not send', (row) => {
  expect(isStuckAfter(row)).toBe(true);
});

test.each(['n', 'u', 'uu', 'nu', 'un', 'nan', 'uuau', 'uauua', 'uuanu'])(
  '%s: the page may still send',
  (row) => {
    expect(isStuckAfter(row)).toBe(false);
  },
);

test('a session has sent once a message was answered', () => {
  const silence = new RepeatedSilence();
  silence.add('id1', { started: true });
  expect([silence.hasSent, silence.includes('id1')]).toEqual([false, true]);
  silence.answered();
  expect([silence.hasSent, silence.includes('id1')]).toEqual([true, false]);
});
