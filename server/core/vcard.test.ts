import { expect, test } from 'vitest';
import { buildVcard, readVcard } from './vcard.ts';

test('a card contains the name, the number and the ID by which WhatsApp finds the contact', () => {
  expect(buildVcard({ name: 'Mia Sander', phone: '4917604069031' }).split('\n')).toEqual([
    'BEGIN:VCARD',
    'VERSION:3.0',
    'N:;Mia Sander;;;',
    'FN:Mia Sander',
    'TEL;type=CELL;type=VOICE;waid=4917604069031:+4917604069031',
    'END:VCARD',
  ]);
});

test('commas, semicolons, backslashes and line ends in a name stay in the name', () => {
  const card = buildVcard({ name: 'O\'Neil, "Jo"; \\ 😀\r\nTEL:+1', phone: '4917604069031' });
  expect(card).toContain('FN:O\'Neil\\, "Jo"\\; \\\\ 😀\\nTEL:+1');
  expect(card.split('\n')).toHaveLength(6);
});

test.each([
  'Mia Sander',
  'O’Neil, Ann; "Annie"',
  'back\\slash',
  'C:\\new\\;\\, \\N',
  'two\u2028FN:parts',
  '🚲 Bikes',
  'long '.repeat(30).trim(),
])('the card of %s shows the name and number that it was made of', (name) => {
  expect(readVcard(buildVcard({ name, phone: '4917604069031' }))).toEqual({
    contactName: name,
    contactPhone: '+4917604069031',
  });
});
