import { seal, unseal } from '#server/platform/seal.ts';

/**
 * A valid linking code lets its holder take over the number, so the database stores codes encrypted for their
 * number. A code that cannot be decrypted, for example after a change of the key, counts as none.
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
