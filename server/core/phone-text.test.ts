import { expect, test } from 'vitest';
import { phoneText, recipientText, sentToText, withoutPhones } from './phone-text.ts';
import { personOf, type Recipient } from './recipient.ts';

const spaced = (text: string) => text.replaceAll('\u00a0', ' ');

test('a phone number is spaced in its country’s format', () => {
  expect(spaced(phoneText('491715550123'))).toBe('+49 171 5550123');
  expect(spaced(phoneText('12025550147'))).toBe('+1 202 555 0147');
});

test('digits outside every numbering plan are grouped in threes', () => {
  expect(spaced(phoneText('999123456789'))).toBe('+999 123 456 789');
});

test('a group is shown by the first and last characters of its id', () => {
  expect(recipientText('120363041234561157@g.us' as Recipient)).toBe('Group 1203…1157');
  expect(spaced(recipientText(personOf('491715550123')))).toBe('+49 171 5550123');
});

test('a phone number cannot be broken across lines', () => {
  expect(phoneText('491715550123')).not.toMatch(/ /);
  expect(phoneText('999123456789')).not.toMatch(/ /);
});

test('a recipient as it was sent is spaced if it is valid, and else shown as it is, cut where it is long', () => {
  expect(spaced(sentToText('491715550123'))).toBe('+49 171 5550123');
  expect(sentToText('120363041234561157@g.us')).toBe('Group 1203…1157');
  for (const to of ['491511', '+49 171 5550123', 'ann']) expect(sentToText(to)).toBe(to);
  expect(sentToText('x'.repeat(500))).toBe('x'.repeat(40));
});

test('phone numbers are masked in a text, and versions and times are not', () => {
  expect(withoutPhones('encryption fail for 491715550123@c.us on 2.3000.1038183521')).toBe(
    'encryption fail for …@c.us on 2.3000.1038183521',
  );
  expect(withoutPhones(`true_491715550123@c.us_3EB0, ${phoneText('491715550123')}`)).toBe(
    'true_…@c.us_3EB0, …',
  );
  expect(withoutPhones('2026-11-28T20:13:11.123Z, 3 of 1000')).toBe('2026-11-28T20:13:11.123Z, 3 of 1000');
});
