import { describe, expect, test } from 'vitest';
import { parseRecipient, recipientHint, recipientOf } from './recipient.ts';

describe('a recipient', () => {
  test.each(['4915228817386', '1234567', '123456789012345'])('%s is a person', (to) => {
    expect(parseRecipient(to)).toEqual({ kind: 'person', digits: to, chatId: `${to}@c.us` });
  });

  test.each(['120363000000000001@g.us', '491700000001-1600000000@g.us'])('%s is a group', (to) => {
    expect(parseRecipient(to)).toEqual({ kind: 'group', chatId: to });
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
    '４９１５２２８８１７',
    '491522881738\n',
  ])('%j is none', (to) => {
    expect(parseRecipient(to)).toBeNull();
  });

  test('is the same when read back from its chat id', () => {
    for (const to of ['4915228817386', '120363000000000001@g.us']) {
      const recipient = parseRecipient(to);
      expect(recipientOf(recipient?.chatId ?? '')).toEqual(recipient);
    }
  });
});

describe('the hint', () => {
  test.each(['+49 152 2881-7386', '0049 152 28817386', '4915228817386@c.us', '(49) 152.28817386'])(
    'for %j shows the number without its decoration',
    (to) => {
      expect(recipientHint('to', to, true)).toMatch(/Send 4915228817386 instead\.$/);
    },
  );

  test('for a national number asks for the country code', () => {
    expect(recipientHint('to', '0152 28817386', true)).toMatch(/put the country code in front/);
  });
});
