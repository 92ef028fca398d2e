import { expect, test } from 'vitest';
import type { MessageContent } from '#server/core/message.ts';
import { MESSAGE_TYPES, type MessageType } from '#server/core/message.ts';
import { DRAFTS, draftOf, faultOf } from './index.ts';

const ID = '3EB0000000000000000001';
const file = { bytes: Buffer.from('%PDF-1.4'), mimeType: 'application/pdf' };

const drafted = (content: MessageContent) => {
  const { type, fields, file: prepared } = draftOf(content, 'url' in content ? file : null);
  return { type, fields, prepare: prepared?.prepare ?? null };
};

test('a text is a chat message with its body alone, even if it reads as a contact card', () => {
  const body = 'BEGIN:VCARD\nVERSION:3.0\nEND:VCARD';
  expect(drafted({ type: 'text', body })).toEqual({ type: 'chat', fields: { body }, prepare: null });
});

test('a contact is a card by its type, with the name as it is shown', () => {
  const { type, fields } = drafted({
    type: 'contact',
    contactName: ' Ana; Lima ',
    contactPhone: '4915228817386',
  });
  expect(type).toBe('vcard');
  expect(fields.vcardFormattedName).toBe('Ana; Lima');
  expect(fields.body).toContain('FN:Ana\\; Lima');
});

test('a place is one text: its name in the first line, its address after it', () => {
  const place = { type: 'location', latitude: 0, longitude: -0.5 } as const;
  const locOf = (more: { name?: string; address?: string }) => drafted({ ...place, ...more }).fields.loc;
  expect(locOf({ name: 'Shop', address: 'Main St 1' })).toBe('Shop\nMain St 1');
  expect(locOf({ address: 'Main St 1' })).toBe('\nMain St 1');
  expect(locOf({ name: 'Two\nlines' })).toBe('Two lines');
  expect(locOf({})).toBe('');
});

test('a document stays one whatever its bytes are, under its own name', () => {
  const url = 'https://files.test/';
  expect(drafted({ type: 'document', url, filename: 'a.png', caption: 'see' })).toEqual({
    type: 'document',
    fields: { filename: 'a.png', caption: 'see', isCaptionByUser: true },
    prepare: { asDocument: true, filename: 'a.png' },
  });
});

test('a file that is missing is an error before anything reaches the page', () => {
  const content = { type: 'image', url: 'https://files.test/' } as const;
  expect(() => draftOf(content, null)).toThrow('the file is missing');
});

const right = (type: MessageType) => ({ type: DRAFTS[type].type, id: ID, names: [...DRAFTS[type].needs] });

test.each(MESSAGE_TYPES)('the gate lets a right %s through, and none that lacks something', (type) => {
  expect(faultOf(type, right(type), ID)).toBeNull();
  for (const name of DRAFTS[type].needs) {
    const names = DRAFTS[type].needs.filter((other) => other !== name);
    expect(faultOf(type, { ...right(type), names }, ID)).toBe(`it has no ${name}`);
  }
});

test('a contact card never leaves as text, nor anything else under another type', () => {
  expect(faultOf('contact', { ...right('contact'), type: 'chat' }, ID)).toBe(
    'its type is chat and not vcard',
  );
  expect(faultOf('audio', { ...right('audio'), type: 'document' }, ID)).toBe(
    'its type is document and not audio',
  );
});

test('attributes copied out of one of the page’s models, and another key, are refused', () => {
  for (const stray of ['__x_id', '__x_type', '$1'])
    expect(faultOf('text', { ...right('text'), names: ['body', stray] }, ID)).toBe(
      `it has the attribute ${stray}`,
    );
  expect(faultOf('text', { ...right('text'), id: null }, ID)).toBe('its key has another ID');
});
