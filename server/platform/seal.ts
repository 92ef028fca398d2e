import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { secret } from './secrets.ts';

const NONCE_BYTES = 12;
const TAG_BYTES = 16;

/** The purpose and owner of an encrypted text, which decryption requires. */
export interface Purpose {
  /** For example `totp`. */
  use: string;
  /** The id of the row that it belongs to. */
  owner: string;
}

/** Encrypts a text with AES-256-GCM under the installation's data key. Returns base64url. */
export function seal(text: string, purpose: Purpose): string {
  return sealBytes(Buffer.from(text), purpose).toString('base64url');
}

/** Decrypts a text. Throws if it was changed, or has another key, purpose or owner. */
export function unseal(sealed: string, purpose: Purpose): string {
  return unsealBytes(Buffer.from(sealed, 'base64url'), purpose).toString('utf8');
}

export function sealBytes(bytes: Uint8Array, purpose: Purpose): Buffer {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv('aes-256-gcm', keyFor(purpose), nonce).setAAD(Buffer.from(purpose.owner));
  return Buffer.concat([nonce, cipher.update(bytes), cipher.final(), cipher.getAuthTag()]);
}

export function unsealBytes(bytes: Buffer, purpose: Purpose): Buffer {
  const nonce = bytes.subarray(0, NONCE_BYTES);
  const tag = bytes.subarray(-TAG_BYTES);
  const decipher = createDecipheriv('aes-256-gcm', keyFor(purpose), nonce, { authTagLength: TAG_BYTES })
    .setAAD(Buffer.from(purpose.owner))
    .setAuthTag(tag);
  return Buffer.concat([decipher.update(bytes.subarray(NONCE_BYTES, -TAG_BYTES)), decipher.final()]);
}

/** Each purpose has its own key, so that no two share nonces. */
function keyFor({ use }: Purpose): Buffer {
  return Buffer.from(hkdfSync('sha256', secret('dataKey'), '', `wirebird ${use}`, 32));
}
