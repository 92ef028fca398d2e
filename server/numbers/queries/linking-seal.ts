import { seal, unseal } from '#server/platform/seal.ts';

/**
 * Who has a valid linking code can take over the number, so the database stores codes sealed for their number. A sealed
 * text that does not open, for example after a change of the key, counts as none.
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
