import { expect, test } from 'vitest';
import { detailOf } from './audit-entries.tsx';

test('an added number shows the interval at which it really sends', () => {
  const added = { network: 'whatsapp', sendIntervalSeconds: 8, protected: true };
  expect(detailOf(added)).toBe('on WhatsApp, interval 8 to 11 s');
  expect(detailOf({ ...added, protected: false })).toBe('on WhatsApp, interval 8 s');
  // Older entries do not say whether the number was protected.
  expect(detailOf({ network: 'sandbox', sendIntervalSeconds: 8 })).toBe('in the sandbox, interval 8 s');
});
