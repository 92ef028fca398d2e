import { describe, expect, test } from 'vitest';
import { mimeTypeFor, OCTET_STREAM } from './mime-type.ts';

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

  test.each(['', 'noextension', '.', 'a.', 'a.unknown', 'a.constructor', 'a.__proto__', 'a.txt/', 'txt'])(
    'has no answer in the name %j',
    (filename) => {
      expect(mimeTypeFor(OCTET_STREAM, filename)).toBe(OCTET_STREAM);
    },
  );
});
