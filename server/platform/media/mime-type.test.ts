import { describe, expect, test } from 'vitest';
import { isText, mimeTypeFor as judge, OCTET_STREAM } from './mime-type.ts';

const mimeTypeFor = (sniffed: string, filename: string) => judge(sniffed, filename, { isText: false });

describe('mimeTypeFor', () => {
  test('trusts the bytes before the name', () => {
    expect(mimeTypeFor('image/png', 'invoice.txt')).toBe('image/png');
    expect(mimeTypeFor('application/x-msdownload', 'report.docx')).toBe('application/x-msdownload');
    expect(mimeTypeFor('application/zip', 'letter.txt')).toBe('application/zip');
  });

  test('uses the name where the bytes are inconclusive', () => {
    expect(mimeTypeFor(OCTET_STREAM, 'List.CSV')).toBe('text/csv');
    expect(mimeTypeFor(OCTET_STREAM, 'a.b.txt')).toBe('text/plain');
  });

  test('uses the name for the content of a container', () => {
    expect(mimeTypeFor('application/x-cfb', 'old.doc')).toBe('application/msword');
    expect(mimeTypeFor('application/zip', 'app.apk')).toBe('application/vnd.android.package-archive');
    expect(mimeTypeFor('application/xml', 'logo.svg')).toBe('image/svg+xml');
  });

  test('uses the name of a text for text, whatever its first letters are', () => {
    expect(judge('application/xml', 'list.csv', { isText: true })).toBe('text/csv');
    expect(judge('application/rtf', 'letter.docx', { isText: true })).toBe('application/rtf');
  });

  test('uses the name of Office 2003 for its XML', () => {
    expect(mimeTypeFor('application/xml', 'orders.xls')).toBe('application/vnd.ms-excel');
    expect(mimeTypeFor('application/xml', 'letter.DOC')).toBe('application/msword');
  });

  test('takes the type of the extension for unknown bytes', () => {
    expect(mimeTypeFor(OCTET_STREAM, 'plan.dwg')).toBe('image/vnd.dwg');
    expect(mimeTypeFor(OCTET_STREAM, 'invoice.pdf')).toBe('application/pdf');
  });

  test.each(['', 'noextension', '.', 'a.', 'a.unknown', 'a.constructor', 'a.__proto__', 'a.txt/', 'txt'])(
    'has no answer in the name %j',
    (filename) => {
      expect(mimeTypeFor(OCTET_STREAM, filename)).toBe(OCTET_STREAM);
    },
  );
});

test.each<[string, Buffer, boolean]>([
  ['UTF-8', Buffer.from('Größe;Preis\r\n\tÅ 😀'), true],
  ['Windows-1252', Buffer.from('Gr\xf6\xdfe \x80 \x99', 'latin1'), true],
  ['UTF-16', Buffer.from('\ufeffGröße', 'utf16le'), true],
  ['UTF-16 of the other order', Buffer.from('\ufeffGröße', 'utf16le').swap16(), true],
  ['UTF-16 without its mark', Buffer.from('abc', 'utf16le'), false],
  ['a zero', Buffer.from('abc\0'), false],
  ['a control character', Buffer.from('abc\x01'), false],
])('bytes are text: %s', (_name, bytes, text) => {
  expect(isText(bytes)).toBe(text);
});
