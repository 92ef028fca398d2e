import { expect, test } from 'vitest';
import type { NumberItem } from '#app/_features/numbers/number-sentence.ts';
import { waitingHelp } from './today-table.tsx';

const number = (of: Partial<NumberItem>) =>
  ({
    status: 'CONNECTED',
    held: false,
    access: 'ok',
    waiting: 2,
    toDecide: 0,
    keptBack: 0,
    scheduled: 0,
    closedToNew: false,
    failing: null,
    sendIntervalSeconds: 8,
    protected: false,
    ...of,
  }) as NumberItem;

test('an expected end is shown only for messages that will be sent', () => {
  const unlinked = number({ status: 'UNLINKED', waiting: 3 });
  const held = number({ held: true });
  expect(waitingHelp([number({ waiting: 0 })])).toBe('Nothing waiting');
  expect(waitingHelp([number({}), number({ waiting: 1 })])).toBe('All sent in 16\u00a0s');
  expect(waitingHelp([unlinked, number({ waiting: 0 })])).toBe('Resumes when the number is connected');
  expect(waitingHelp([unlinked, unlinked])).toBe('Resumes when the numbers are connected');
  expect(waitingHelp([unlinked, held])).toBe('Resumes when sending resumes');
  expect(waitingHelp([number({ access: 'excess' })])).toBe('Resumes when sending resumes');
  expect(waitingHelp([number({}), unlinked])).toBe('Sent in 16\u00a0s, except 3');
  expect(waitingHelp([number({ toDecide: 2 })])).toBe('Needs your decision');
  expect(waitingHelp([number({ keptBack: 2, scheduled: 0 })])).toBe(
    'Waiting until new people can be contacted',
  );
  expect(waitingHelp([number({ scheduled: 2 }), number({ waiting: 0 })])).toBe('Scheduled for later');
  expect(waitingHelp([number({ keptBack: 1, scheduled: 1 })])).toBe(
    'Scheduled for later, or waiting until new people can be contacted',
  );
  expect(waitingHelp([number({ scheduled: 2, held: true })])).toBe('Resumes when sending resumes');
  expect(waitingHelp([number({ waiting: 3, toDecide: 2 })])).toBe('Sent in 8\u00a0s, except 2');
});
