import { expect, test } from 'vitest';
import { leadOf } from './linking-page.tsx';
import { linking } from './words.ts';

const number = { network: 'whatsapp' as const, phoneText: '+49 1522 8810001', replacementText: null };

test('the linking page names the phone to use until it is linked', () => {
  expect(leadOf(number, 'LINKING')).toBe(linking.leadAgain('+49 1522 8810001'));
  expect(leadOf({ ...number, replacementText: '+49 1522 8810002' }, 'UNLINKED')).toBe(
    linking.leadReplacing('+49 1522 8810002'),
  );
  expect(leadOf({ ...number, phoneText: null }, 'UNLINKED')).toBe(linking.lead);
  expect(leadOf(number, 'CONNECTED')).toBeNull();
});
