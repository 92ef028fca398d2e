import { describe, expect, test } from 'vitest';
import { seal, unseal } from './seal.ts';

const PURPOSE = { use: 'totp', owner: 'usr_1' };

describe('a sealed text', () => {
  test('opens for its own purpose, and looks different each time', () => {
    const [one, two] = [seal('grüße', PURPOSE), seal('grüße', PURPOSE)];
    expect(unseal(one, PURPOSE)).toBe('grüße');
    expect(one).not.toBe(two);
    expect(one).toMatch(/^[\w-]+$/);
  });

  test('opens for no other owner or use, nor when any byte of it was changed', () => {
    const sealed = seal('secret', PURPOSE);
    expect(() => unseal(sealed, { ...PURPOSE, owner: 'usr_2' })).toThrow();
    expect(() => unseal(sealed, { ...PURPOSE, use: 'qr' })).toThrow();
    for (let at = 0; at < Buffer.from(sealed, 'base64url').length; at++) {
      const bytes = Buffer.from(sealed, 'base64url');
      bytes[at] = (bytes[at] ?? 0) ^ 1;
      expect(() => unseal(bytes.toString('base64url'), PURPOSE), `byte ${at}`).toThrow();
    }
    for (const short of ['', 'AAAA', sealed.slice(0, 20)]) expect(() => unseal(short, PURPOSE)).toThrow();
  });
});
