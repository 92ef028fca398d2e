import { describe, expect, test } from 'vitest';
import { ackAt, inboxEntry, sentLine, splitPlace } from './inbox.ts';
import type { SentMessage } from './page/protocol.ts';
import type { StoredMessage } from './store.ts';

const arrival = { at: 5, to: '491700000002@c.us', media: undefined };
const media = { sha256: 'ab'.repeat(32), bytes: 7 };
const frame = { id: '3EB0', key: 'true_491700000002@c.us_3EB0', to: '491700000002@c.us' };
const common = { id: '3EB0', at: 5, to: '491700000002@c.us' };

describe('an inbox entry has only the fields of its kind', () => {
  const cases: [SentMessage, object][] = [
    [
      { ...frame, type: 'chat', body: 'שלום 👋\n' },
      { type: 'text', body: 'שלום 👋\n' },
    ],
    [
      {
        ...frame,
        type: 'image',
        body: 'a preview',
        caption: 'pic',
        mimetype: 'image/png',
        filename: 'a.png',
      },
      { type: 'image', caption: 'pic', mimetype: 'image/png', ...media },
    ],
    [
      {
        ...frame,
        type: 'document',
        body: '',
        caption: '',
        mimetype: 'application/pdf',
        filename: 'offer.pdf',
      },
      { type: 'document', filename: 'offer.pdf', mimetype: 'application/pdf', ...media },
    ],
    [
      { ...frame, type: 'location', latitude: 0, longitude: -180, place: '', body: '' },
      { type: 'location', latitude: 0, longitude: -180 },
    ],
    [
      { ...frame, type: 'vcard', body: 'BEGIN:VCARD' },
      { type: 'contact', vcard: 'BEGIN:VCARD' },
    ],
    [
      { ...frame, type: 'audio', mimetype: 'audio/mpeg' },
      { type: 'audio', mimetype: 'audio/mpeg', ...media },
    ],
    [
      { ...frame, type: 'ptt', mimetype: 'audio/ogg' },
      { type: 'audio', mimetype: 'audio/ogg', ...media },
    ],
  ];
  test.each(cases)('$type', (message, expected) => {
    expect(inboxEntry(message, { ...arrival, media })).toEqual({ ...common, ...expected });
  });
});

test('kinds that the sandbox does not deliver have no inbox entry', () => {
  expect(inboxEntry({ ...frame, type: 'poll_creation' }, arrival)).toBeNull();
});

describe('a location is split into the given fields', () => {
  test.each([
    ['Berlin\nAlexanderplatz', { name: 'Berlin', address: 'Alexanderplatz' }],
    ['Berlin\nAlexanderplatz 1\n10178 Berlin', { name: 'Berlin', address: 'Alexanderplatz 1\n10178 Berlin' }],
    ['Berlin', { name: 'Berlin' }],
    ['\nAlexanderplatz', { address: 'Alexanderplatz' }],
    ['', {}],
  ])('%j', (place, expected) => {
    expect(splitPlace(place)).toEqual(expected);
  });
});

const stored = (entry: object, deliveredAt: number | null, readAt: number | null): StoredMessage => ({
  phone: '491700000001',
  key: frame.key,
  entry: { ...common, type: 'text', ...entry },
  deliveredAt,
  readAt,
  repeats: 0,
});

test('the acknowledgement follows from the times set on arrival', () => {
  const message = stored({}, 100, 200);
  expect([99, 100, 199, 200].map((now) => ackAt(message, now))).toEqual([1, 2, 2, 3]);
  expect(ackAt(stored({}, null, null), 1e15)).toBe(1);
});

describe('a chat shows each kind by its text', () => {
  test.each([
    [{ type: 'text', body: 'hello' }, 'hello'],
    [{ type: 'image', caption: 'pic' }, 'pic'],
    [{ type: 'document', filename: 'offer.pdf', caption: 'the offer' }, 'offer.pdf: the offer'],
    [
      { type: 'location', latitude: 1.5, longitude: 2, name: 'Berlin', address: 'Alexanderplatz' },
      'Berlin, Alexanderplatz',
    ],
    [{ type: 'location', latitude: 1.5, longitude: 2 }, '1.5, 2'],
    [{ type: 'contact', vcard: 'BEGIN:VCARD\r\nFN:Jane Doe\r\nEND:VCARD' }, 'Jane Doe'],
    [{ type: 'audio' }, ''],
  ])('$0.type', (entry, text) => {
    expect(sentLine(stored(entry, null, null), 0).text).toBe(text);
  });
});
