import { createHash } from 'node:crypto';

/** SHA-256, base64url: enough for random tokens, which need no salt and no slow hash, and for names of counts. */
export function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64url');
}
