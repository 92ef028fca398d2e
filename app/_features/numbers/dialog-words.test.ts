import { expect, test } from 'vitest';
import { cancels } from './dialog-words.ts';

test('a dialog counts every message that it cancels, scheduled ones too', () => {
  expect(cancels({ waiting: 0, scheduled: 0 })).toBe('No messages are waiting');
  expect(cancels({ waiting: 1, scheduled: 0 })).toBe('1 waiting message is cancelled');
  expect(cancels({ waiting: 2, scheduled: 2 })).toBe('2 scheduled messages are cancelled');
  expect(cancels({ waiting: 5, scheduled: 2 })).toBe('5 messages are cancelled: 3 waiting and 2 scheduled');
});
