import { expect, test } from 'vitest';
import { judgeNumbers } from './judge-numbers.ts';
import type { NumberFigure } from './queries/installation-figures.ts';

const judge = (numbers: Partial<Record<NumberFigure, number>>) =>
  judgeNumbers(new Map(Object.entries(numbers) as [NumberFigure, number][]));

test.each([
  ['no number yet', {}, { ok: true, away: false, found: 'none yet' }],
  ['never linked', { UNLINKED: 2 }, { ok: true, away: false, found: '2 not linked' }],
  ['the only one logged out', { LOGGED_OUT: 1 }, { ok: false, away: true, found: '1 logged out' }],
  [
    'all away, for several reasons',
    { CONFLICT: 1, BLOCKED: 2, UNLINKED: 1 },
    { ok: false, away: true, found: '1 not linked, 1 open elsewhere, 2 blocked by WhatsApp' },
  ],
  [
    'one of two logged out',
    { CONNECTED: 1, LOGGED_OUT: 1 },
    { ok: true, away: true, found: '1 connected, 1 logged out' },
  ],
  [
    'just restarted',
    { RECONNECTING: 3, LOGGED_OUT: 1 },
    { ok: true, away: true, found: '3 reconnecting, 1 logged out' },
  ],
  ['stopped by its plan', { PLAN_STOPPED: 1 }, { ok: true, away: false, found: '1 stopped: plan ended' }],
] as const)('the numbers of an installation: %s', (_, numbers, judged) => {
  expect(judge(numbers)).toEqual(judged);
});
