import type { DraftKind } from './draft.ts';

export const location: DraftKind<'location'> = {
  type: 'location',
  fields: ({ latitude: lat, longitude: lng, name, address }) => ({ lat, lng, loc: placeOf(name, address) }),
  needs: ['lat', 'lng', 'loc'],
};

/** The page has one text for a place: the name in the first line, then the address. */
function placeOf(name: string | undefined, address: string | undefined): string {
  const firstLine = name?.replaceAll(/\s*[\r\n]+\s*/g, ' ') ?? '';
  return address ? `${firstLine}\n${address}` : firstLine;
}
