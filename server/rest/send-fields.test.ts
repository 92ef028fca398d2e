import { describe, expect, test } from 'vitest';
import type { AppError } from '#server/core/errors.ts';
import { PLACEHOLDER_FILES } from '#server/core/examples.ts';
import { MEDIA_RULES, MESSAGE_TYPES, type MediaKind, type MessageType } from '#server/core/message.ts';
import { readSendRequest } from '#server/core/send-requests.ts';
import { checkerOf } from '#server/testing/openapi-document.ts';
import { RIGHT } from '#server/testing/send-bodies.ts';
import { openApiDocument } from './openapi.ts';

/** The fields of sends, as the endpoints read them and as the document describes them. */

const { misfit } = checkerOf(openApiDocument(PLACEHOLDER_FILES));

/** Reads a request with changed fields; `undefined` leaves one out. */
const read = (kind: MessageType, change: Record<string, unknown>) =>
  readSendRequest(kind, { ...RIGHT[kind], ...change });

/** The content that is stored of such a request. */
const content = (kind: MessageType, change: Record<string, unknown>) => read(kind, change).content;

/** The sentence that refuses such a request. */
function refusal(kind: MessageType, change: Record<string, unknown>): string {
  try {
    read(kind, change);
  } catch (error) {
    expect((error as AppError).code).toBe('invalid_parameters');
    return (error as AppError).message;
  }
  throw new Error('it was accepted');
}

/** Why the request does not fit the document; null if it fits. */
const misfitOf = (kind: MessageType, change: Record<string, unknown>) =>
  misfit(
    ['paths', `/messages/${kind}`, 'post', 'requestBody', 'content', 'application/json', 'schema'],
    JSON.parse(JSON.stringify({ ...RIGHT[kind], ...change })),
  );

describe('to', () => {
  test.each([
    '1234567', // 7 digits, the fewest
    '123456789012345', // 15, the most
    '12345@g.us',
    '1234567890123456789012345@g.us',
    '4915228817386-1612345678@g.us',
  ])('%s is a recipient', (to) => {
    expect(read('text', { to }).recipient).toBe(to.endsWith('@g.us') ? to : `${to}@c.us`);
    expect(misfitOf('text', { to })).toBeNull();
  });

  test.each([
    ['+4915228817386', 'Send 4915228817386 instead.'],
    ['00 49 152 288 173 86', 'Send 4915228817386 instead.'],
    ['4915228817386@c.us', 'Send 4915228817386 instead.'],
    ['4915228817386@s.whatsapp.net', 'Send 4915228817386 instead.'],
    ['015228817386', 'It begins with 0: put the country code in front instead.'],
    ['123456', 'It has 6 digits; a number has 7 to 15.'],
    ['1234567890123456', 'It has 16 digits; a number has 7 to 15.'],
    ['1234@g.us', ''],
    ['12345678901234567890123456@g.us', ''],
    ['4915228817386@lid', ''],
    ['Jonas', ''],
    ['4915228817386\n', 'Send 4915228817386 instead.'],
    ['٤٩١٥٢٢٨٨١٧٣٨٦', 'It has digits of another script: write 0 to 9.'],
  ])('%s is no recipient, and the sentence says what to send', (to, advice) => {
    const wanted =
      'a number in international format (digits only, country code first, no +) or a group id ending in @g.us';
    expect(refusal('text', { to })).toBe(`to must be ${wanted}.${advice && ` ${advice}`}`);
    expect(misfitOf('text', { to })).not.toBeNull();
  });
});

describe.each(MESSAGE_TYPES)('%s', (kind) => {
  test('matches its own schema in the document', () => {
    expect(misfitOf(kind, {})).toBeNull();
  });

  test('unknown fields are ignored', () => {
    const strange = JSON.parse('{"__proto__":{"to":1},"constructor":1,"id":"msg_x","type":"audio"}');
    expect(read(kind, strange)).toEqual(read(kind, {}));
    expect(content(kind, strange).type).toBe(kind);
  });

  describe.each(Object.keys(RIGHT[kind]))('%s', (field) => {
    const isNumber = field === 'latitude' || field === 'longitude';

    test('is required', () => {
      expect(refusal(kind, { [field]: undefined })).toMatch(
        new RegExp(`^${field} is missing\\. Send .+\\.$`),
      );
      expect(misfitOf(kind, { [field]: undefined })).not.toBeNull();
    });

    const wrong = isNumber
      ? [null, '', '53.55', true, false, [], [53], {}]
      : [null, 5, 0, true, [], ['x'], {}, { toString: 'x' }];
    test.each(wrong)('%j is not coerced', (value) => {
      expect(refusal(kind, { [field]: value })).toMatch(new RegExp(`^${field} must be a (string|number)`));
      expect(misfitOf(kind, { [field]: value })).not.toBeNull();
    });

    if (isNumber) return;
    test.each(['', ' ', '\t\n\u00a0\u2003'])('only white space is missing: %j', (empty) => {
      expect(refusal(kind, { [field]: empty })).toContain(`${field} is missing`);
    });
  });
});

test.each([
  ['text', 'body', 8000],
  ['image', 'caption', 8000],
  ['document', 'caption', 8000],
  ['document', 'filename', 255],
  ['location', 'name', 1000],
  ['location', 'address', 1000],
  ['contact', 'contactName', 255],
] as const)('of %s in %s, %d Unicode characters pass, and one more does not', (kind, field, max) => {
  for (const char of ['x', '😀']) {
    const most = { [field]: char.repeat(max) };
    expect(content(kind, most)).toMatchObject(most);
    expect(misfitOf(kind, most)).toBeNull();
    const more = { [field]: char.repeat(max + 1) };
    expect(refusal(kind, more)).toBe(
      `${field} must be at most ${max} characters; it has ${max + 1}. Shorten it.`,
    );
    expect(misfitOf(kind, more)).not.toBeNull();
  }
});

describe('latitude and longitude', () => {
  test.each([
    ['latitude', 90],
    ['latitude', -90],
    ['latitude', 0],
    ['longitude', 180],
    ['longitude', -180],
    ['longitude', 0.000001],
  ])('%s %d is on the map', (field, value) => {
    expect(content('location', { [field]: value })).toMatchObject({ [field]: value });
  });

  test.each([
    ['latitude', 90.000001, 90],
    ['latitude', -90.000001, 90],
    ['longitude', 180.000001, 180],
    ['longitude', -181, 180],
  ])('%s %d is not', (field, value, bound) => {
    expect(refusal('location', { [field]: value })).toBe(
      `${field} must be a number from -${bound} to ${bound}.`,
    );
    expect(misfitOf('location', { [field]: value })).not.toBeNull();
  });
});

describe('optional fields', () => {
  test('are omitted when sent empty', () => {
    expect(content('location', { name: '', address: ' \n' })).toEqual({
      type: 'location',
      latitude: 53.55,
      longitude: 9.99,
    });
    expect(content('image', { caption: '' })).toEqual({ type: 'image', url: 'https://example.com/a.jpg' });
  });

  test('their type is still checked', () => {
    expect(refusal('image', { caption: null })).toBe(
      'caption must be a string, not null. Leave it out if there is none.',
    );
    expect(refusal('image', { caption: 5 })).toBe(
      'caption must be a string, not a number. Put it in quotes.',
    );
  });

  test('a required one that is null says what to send', () => {
    const says = (field: string, what: string) =>
      new RegExp(`^${field} must be a string, not null\\. Send ${what}`);
    expect(refusal('text', { body: null })).toMatch(says('body', 'the text'));
    expect(refusal('image', { url: null })).toMatch(says('url', 'the http'));
    expect(refusal('text', { to: null })).toMatch(says('to', 'the recipient'));
    expect(refusal('location', { latitude: null })).toBe(
      'latitude must be a number from -90 to 90, not null.',
    );
  });

  test('a number that is too large for JSON is named as such', () => {
    expect(refusal('location', { latitude: JSON.parse('1e999') })).toBe(
      'latitude must be a number from -90 to 90. The one sent is too large.',
    );
  });
});

test.each(['a\0b', 'half \ud83d', '\ude00 other half'])(
  '%j, which no database keeps, is refused in every text',
  (body) => {
    for (const [kind, field] of [
      ['text', 'body'],
      ['image', 'caption'],
      ['document', 'filename'],
      ['location', 'name'],
      ['contact', 'contactName'],
    ] as const)
      expect(refusal(kind, { [field]: body })).toContain(
        `${field} contains U+0000 or half of a surrogate pair`,
      );
  },
);

test.each([
  ['ftp://example.com/a', 'url must begin with http:// or https://.'],
  ['file:///etc/passwd', 'url must begin with http:// or https://.'],
  ['data:image/png;base64,AAAA', 'url must begin with http:// or https://.'],
  [
    '//example.com/a.jpg',
    'url is not a complete URL. Send one that begins with https:// or http://, such as https://example.com/path.',
  ],
  [
    'example.com/a.jpg',
    'url is not a complete URL. Send one that begins with https:// or http://, such as https://example.com/path.',
  ],
  [
    'http://',
    'url is not a complete URL. Send one that begins with https:// or http://, such as https://example.com/path.',
  ],
  ['https://user:pass@example.com/a', expect.stringContaining('user name or password')],
  [
    `https://example.com/${'x'.repeat(8192)}`,
    expect.stringMatching(/^url has 8212 bytes.+limit is 8192 bytes/),
  ],
  [
    `https://example.com/${'ü'.repeat(1400)}`,
    expect.stringMatching(/^url has 8420 bytes.+limit is 8192 bytes/),
  ],
])('the url %s is refused', (url, error) => {
  for (const kind of Object.keys(MEDIA_RULES) as MediaKind[]) expect(refusal(kind, { url })).toEqual(error);
});

describe('filename', () => {
  test.each([
    ['../../etc/passwd', '.._.._etc_passwd'],
    ['a\\b/c.pdf', 'a_b_c.pdf'],
    ['fdp.\u202eexe', 'fdp.exe'],
    ['Ångström 😀.pdf', 'Ångström 😀.pdf'],
  ])('%j reaches the recipient as %j', (filename, shown) => {
    expect(content('document', { filename })).toMatchObject({ filename: shown });
  });

  test.each(['..', '/', '\u202e\u200f', '///'])('%j leaves nothing and is refused', (filename) => {
    expect(refusal('document', { filename })).toContain('filename has no character');
  });
});
