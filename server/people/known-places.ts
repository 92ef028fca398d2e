import { addressBlock } from '#server/core/client-address.ts';
import type { Tx } from '#server/platform/db/client.ts';
import type { InstallationContext } from '#server/platform/db/context.ts';
import { digest } from '#server/platform/digest.ts';
import { deleteKnownPlaces, findKnownPlaces, putKnownPlaces } from './queries/known-places.ts';

/** Where an attempt comes from. */
export interface Place {
  address: string | null;
  /** What the browser keeps since its first visit, see `server/auth/device.ts`; nothing is known of who has none. */
  device?: string | null | undefined;
  /** The sign-in of a browser that is signed in already. */
  signInId?: string | undefined;
}

export interface KnownPlace {
  /** Whether they signed in there before: what strangers do is not counted against them. */
  known: boolean;
  /** What they signed in with before is in this very browser: its address says nothing more. */
  sameBrowser: boolean;
  /** By what attempts from there are counted. */
  countedBy: string;
}

/** What is known of a place of somebody's. Whether there is such a user makes no difference to a stranger. */
export async function knownPlace(
  { database }: InstallationContext,
  params: { email: string; place: Place },
): Promise<KnownPlace> {
  const { email, place } = params;
  if (place.signInId !== undefined)
    return { known: true, sameBrowser: true, countedBy: digest(`sign-in ${place.signInId}`) };
  const [block, browser] = hashesOf(place);
  const found = await findKnownPlaces(database.db, {
    who: digest(email),
    places: browser ? [block, browser] : [block],
  });
  const sameBrowser = browser !== undefined && found.includes(browser);
  return { known: found.length > 0, sameBrowser, countedBy: sameBrowser ? browser : block };
}

/** Notes that somebody has shown there who they are. */
export async function rememberPlace(
  tx: Tx,
  params: { userId: string; email: string; place: Place },
): Promise<void> {
  const { userId, email, place } = params;
  const places = hashesOf(place).filter((one) => one !== undefined);
  await putKnownPlaces(tx, { userId, who: digest(email.toLowerCase()), places });
}

/** All places of a user are those of a stranger: with an old password somebody else may have become known. */
export async function forgetPlaces(tx: Tx, params: { userId: string }): Promise<void> {
  await deleteKnownPlaces(tx, params);
}

function hashesOf({ address, device }: Place): [block: string, browser: string | undefined] {
  return [digest(`block ${addressBlock(address)}`), device ? digest(`browser ${device}`) : undefined];
}
