import { describe, expect, test } from 'vitest';
import phones from '../../clients/testing/phones.json' with { type: 'json' };
import { isGroup, parseRecipient, recipientHint, toOf, typedPhone } from './recipient.ts';

describe('a recipient', () => {
  test.each(['4915228817386', '1234567', '123456789012345'])('%s is a person', (to) => {
    const recipient = parseRecipient(to);
    expect(recipient).toBe(`${to}@c.us`);
    expect(recipient && isGroup(recipient)).toBe(false);
  });

  test.each(['120363000000000001@g.us', '491700000001-1600000000@g.us'])('%s is a group', (to) => {
    const recipient = parseRecipient(to);
    expect(recipient).toBe(to);
    expect(recipient && isGroup(recipient)).toBe(true);
  });

  test.each([
    '',
    '+4915228817386',
    '0170123456',
    '123456',
    '1234567890123456',
    '49 152',
    '4915228817386@c.us',
    '@g.us',
    '1@g.us',
    '@anna',
    '４９１５２２８８１７',
    '491522881738\n',
  ])('%j is no recipient', (to) => {
    expect(parseRecipient(to)).toBeNull();
  });

  test.each(['4915228817386', '120363000000000001@g.us'])('%s is shown to callers as they wrote it', (to) => {
    const recipient = parseRecipient(to);
    expect(recipient && toOf(recipient)).toBe(to);
  });
});

describe('the hint', () => {
  test.each(['+49 152 2881-7386', '0049 152 28817386', '4915228817386@c.us', '+(49) 152.28817386'])(
    'for %j shows the number without its decoration',
    (to) => {
      expect(recipientHint('to', to, true)).toMatch(/Send 4915228817386 instead\.$/);
    },
  );

  test('asks for the country code of a national number', () => {
    expect(recipientHint('to', '0152 28817386', true)).toMatch(/put the country code in front/);
  });

  test.each([
    ['4', 'It has 1 digit; a number has 7 to 15.'],
    ['+49 1', 'It has 3 digits; a number has 7 to 15.'],
    ['4915228817386000', 'It has 16 digits; a number has 7 to 15.'],
  ])('says how many digits %j has', (to, hint) => {
    for (const groups of [true, false])
      expect(recipientHint('to', to, groups)).toMatch(new RegExp(`\\. ${hint}$`));
  });

  test.each(['', 'Anna', '4915228817386, 4915228817387', '123@g.us'])(
    'does not count the digits of %j',
    (to) => {
      expect(recipientHint('to', to, true)).not.toMatch(/It has/);
    },
  );
});

test.each(phones.certain)('%j as typed means %j', (text, digits) => {
  expect(typedPhone(text as string)).toBe(digits);
});

test.each(phones.unclear)('%j may be the number of somebody else, so none is suggested', (text) => {
  expect(typedPhone(text)).toBeNull();
  expect(recipientHint('to', text, true)).not.toContain('Send ');
});

test.each([
  ['491522881738.0', 'A spreadsheet has made a decimal of it: send it as text.'],
  ['4,91522881738E+12', 'A spreadsheet has made a decimal of it: send it as text.'],
  ['٤٩١٥٢٢٨٨١٧٣٨٦', 'It has digits of another script: write 0 to 9.'],
  ['4915228817386\u200b1', 'It has an invisible character (U+200B).'],
  ['1522\u20118817386', 'It has the character “\u2011” (U+2011).'],
  ['\u202a+49 1522 8817386\u202c', 'It has an invisible character (U+202A). Send 4915228817386 instead.'],
])('the hint for %j says %j', (text, hint) => {
  expect(recipientHint('to', text, true)).toContain(hint);
});
