import { seal, unseal } from '#server/platform/seal.ts';

/**
 * What links a phone is a takeover of it while it is valid: in the database it lies sealed, for its number
 * alone. A sealed text that does not open, after a change of the key for example, is as good as none.
 */
export function sealLinking(numberId: string, text: string): string {
  return seal(text, { use: 'linking', owner: numberId });
}

export function unsealLinking(numberId: string, sealed: string | null): string | null {
  if (sealed === null) return null;
  try {
    return unseal(sealed, { use: 'linking', owner: numberId });
  } catch {
    return null;
  }
}
