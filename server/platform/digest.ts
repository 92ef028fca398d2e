import { createHash } from 'node:crypto';

/** SHA-256, base64url. It suits random tokens, which need no salt and no slow hash, and keys of rate limits. */
export function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}
