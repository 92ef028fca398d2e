import { describe, expect, test } from 'vitest';
import { keyHmac, mintKey, parseKey } from './mint-key.ts';

describe('an API key', () => {
  test('shows its network and its id', () => {
    const live = mintKey('whatsapp');
    expect(live.key).toMatch(/^wsk_live_[0-9a-z]{26}[0-9A-Za-z]{38}$/);
    expect(parseKey(live.key)).toEqual({ id: live.id });
    const test = mintKey('sandbox');
    expect(test.key).toMatch(/^wsk_test_/);
    expect(test.id).toMatch(/^key_[0-9a-z]{26}$/);
  });

  test('is refused without a database query when any character is wrong', () => {
    const { key } = mintKey('sandbox');
    for (let at = 0; at < key.length; at++) {
      const wrong = key.slice(0, at) + (key[at] === '7' ? '8' : '7') + key.slice(at + 1);
      expect(parseKey(wrong), `character ${at}`).toBeNull();
    }
  });

  test.each(['', 'wsk_test_', 'Bearer x', 'x'.repeat(10_000)])('is not made of "%.20s"', (text) => {
    expect(parseKey(text)).toBeNull();
  });

  test('with white space or other text around it is invalid', () => {
    const { key } = mintKey('sandbox');
    for (const text of [` ${key}`, `${key} `, `${key}\n`, key + key, key.toUpperCase()])
      expect(parseKey(text)).toBeNull();
  });

  test('shows only its first and last characters in its hint', () => {
    const { key, hint } = mintKey('whatsapp');
    expect(hint).toBe(`${key.slice(0, 13)}…${key.slice(-4)}`);
    expect(hint).toHaveLength(18);
  });

  test('is stored as an HMAC that no other key shares', () => {
    const [one, two] = [mintKey('sandbox'), mintKey('sandbox')];
    expect(one.hmac).toBe(keyHmac(one.key));
    expect(one.hmac).toMatch(/^[\w-]{43}$/);
    expect(one.hmac).not.toBe(two.hmac);
    expect(one.hmac).not.toContain(one.key.slice(-10));
  });
});
