import { expect, test } from 'vitest';
import { isSettled, MESSAGE_STATUSES } from '#server/core/message-state.ts';
import { ACK_OF, ackOf } from './ack.ts';

test('only a message that is not acknowledged yet shows a clock', () => {
  for (const status of MESSAGE_STATUSES) expect(ACK_OF[status] === 0).toBe(!isSettled(status));
  expect([undefined, 0, 1, 2, 3, 4].map(ackOf)).toEqual([0, 0, 1, 2, 3, 3]);
  expect(ackOf(-1)).toBe('failed');
});
