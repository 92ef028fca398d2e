import { expect, test } from 'vitest';
import { buildVcard } from '#server/core/vcard.ts';
import { readVcard } from './vcard.ts';

test.each(['Mia Sander', 'O’Neil, Ann; "Annie"', 'back\\slash', '🚲 Bikes'])(
  'the card of %s shows the name and number that it was made of',
  (name) => {
    expect(readVcard(buildVcard({ name, phone: '4917604069031' }))).toEqual({
      name,
      phone: '+4917604069031',
    });
  },
);
