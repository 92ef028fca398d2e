import { expect, test } from 'vitest';
import { messages } from './messages.ts';

test('the sync lane is stored as plain, as processes of 0.1 and backups have it, and is read as sync', () => {
  for (const [lane, stored] of [
    ['sync', 'plain'],
    ['async', 'async'],
  ]) {
    expect(messages.lane.mapToDriverValue(lane)).toBe(stored);
    expect(messages.lane.mapFromDriverValue(stored)).toBe(lane);
  }
});
