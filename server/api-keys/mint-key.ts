import { createHmac, randomInt } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { newId } from '#server/core/id.ts';
import type { Network } from '#server/core/number-state.ts';
import { secret } from '#server/platform/secrets.ts';

/**
 * `wsk_live_` or `wsk_test_`, then the key's id (26), its secret (32) and a checksum (6). Secret scanners
 * recognise the prefix, the id finds the row, and the checksum refuses a mistyped key without a query.
 */
const FORM = /^(wsk_(?:live|test)_([0-9a-z]{26})[0-9A-Za-z]{32})([0-9A-Za-z]{6})$/;
const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';
const SECRET_CHARS = 32;
const CHECKSUM_CHARS = 6;

/** Makes an API key for a number on `network`, with 190 random bits. */
export function mintKey(network: Network) {
  const id = newId('key');
  let random = '';
  for (let i = 0; i < SECRET_CHARS; i++) random += BASE62.charAt(randomInt(BASE62.length));
  const start = `wsk_${network === 'sandbox' ? 'test' : 'live'}_`;
  const withoutChecksum = `${start}${id.slice('key_'.length)}${random}`;
  const key = withoutChecksum + checksum(withoutChecksum);
  return {
    /** `key_…`, no secret. */
    id,
    /** The whole key: shown once, stored nowhere. */
    key,
    hint: `${key.slice(0, start.length + 4)}…${key.slice(-4)}`,
    /** The stored form. */
    hmac: keyHmac(key),
  };
}

/** The id in a presented key; null if its form or checksum is wrong. Does not authenticate. */
export function parseKey(presented: string): { id: string } | null {
  const [, withoutChecksum, id, sum] = FORM.exec(presented) ?? [];
  if (!withoutChecksum || !id || sum !== checksum(withoutChecksum)) return null;
  return { id: `key_${id}` };
}

/** HMAC-SHA-256 of the whole key under the pepper, which is not in the database; base64url. */
export function keyHmac(key: string): string {
  return createHmac('sha256', secret('keyPepper')).update(key).digest('base64url');
}

function checksum(text: string): string {
  let rest = crc32(text);
  let out = '';
  for (let i = 0; i < CHECKSUM_CHARS; i++, rest = Math.floor(rest / 62)) out = BASE62.charAt(rest % 62) + out;
  return out;
}
