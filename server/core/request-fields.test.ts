import { describe, expect, test } from 'vitest';
import { safeFilename } from './request-fields.ts';

describe('a file name', () => {
  test.each([
    ['../../etc/passwd', '....etcpasswd'],
    ['a\\b/c.pdf', 'abc.pdf'],
    ['in\u0000voice\n.pdf', 'invoice.pdf'],
    ['invoice\u202Efdp.exe', 'invoicefdp.exe'],
    ['  Rechnung Nr. 7 – März.pdf ', 'Rechnung Nr. 7 – März.pdf'],
    ['..', ''],
    ['/', ''],
  ])('%j is shown as %j', (given, shown) => {
    expect(safeFilename(given)).toBe(shown);
  });
});
