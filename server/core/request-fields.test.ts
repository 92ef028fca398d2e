import { describe, expect, test } from 'vitest';
import { safeFilename } from './request-fields.ts';

/** Tag characters, which are invisible alone, make a flag of a region. */
const FLAG_OF_SCOTLAND = '🏴\u{e0067}\u{e0062}\u{e0073}\u{e0063}\u{e0074}\u{e007f}';

describe('a file name', () => {
  test.each([
    ['../../etc/passwd', '.._.._etc_passwd'],
    ['a\\b/c.pdf', 'a_b_c.pdf'],
    ['INV/2024/15.pdf', 'INV_2024_15.pdf'],
    ['نامه\u200cها.pdf', 'نامه\u200cها.pdf'],
    ['क्\u200dष.pdf', 'क्\u200dष.pdf'],
    ['👨\u200d👩\u200d👧 🏳️\u200d🌈 🇩🇪.pdf', '👨\u200d👩\u200d👧 🏳️\u200d🌈 🇩🇪.pdf'],
    [FLAG_OF_SCOTLAND, FLAG_OF_SCOTLAND],
    ['\u200f\u2067invoice\u2069\u061c.pdf', 'invoice.pdf'],
    ['\ufeffoffer.pdf', 'offer.pdf'],
    ['in\u0000voice\n.pdf', 'invoice.pdf'],
    ['invoice\u202Efdp.exe', 'invoicefdp.exe'],
    ['  Rechnung Nr. 7 – März.pdf ', 'Rechnung Nr. 7 – März.pdf'],
    ['..', ''],
    ['/', ''],
    ['./', ''],
    ['\u200d\u200b', ''],
  ])('%j is shown as %j', (given, shown) => {
    expect(safeFilename(given)).toBe(shown);
  });
});
