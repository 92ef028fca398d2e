import { expect, test } from 'vitest';
import { keyDialogs } from './dialog-words.ts';

test('the time until which a rotated key works names its time zone', () => {
  expect(keyDialogs.shown.oldUntil('20 Mar 2026, 10:00', 'Europe/Berlin')).toBe(
    'The old key works until 20 Mar 2026, 10:00 (Europe/Berlin).',
  );
});
