import { addressBlock } from '#server/core/client-address.ts';
import type { Tx } from '#server/platform/db/client.ts';
import type { InstallationContext } from '#server/platform/db/context.ts';
import { digest } from '#server/platform/digest.ts';
import { findKnownPlaces, putKnownPlaces } from './queries/known-places.ts';

/** Where an attempt comes from. */
export interface Place {
  address: string | null;
  /** The browser's own id, see `server/auth/device.ts`. Without it no place is known. */
  device?: string | null | undefined;
  signInId?: string | undefined;
}

export interface KnownPlace {
  /** Whether they signed in there before, so that strangers' attempts do not slow them down. */
  known: boolean;
  /** They signed in before with this browser, so its address does not matter. */
  sameBrowser: boolean;
  /** The name under which attempts from there are counted. */
  countedBy: string;
}

/** What is known of a place. A stranger cannot see whether the user exists. */
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

/** Records that a user signed in at a place. */
export async function rememberPlace(
  tx: Tx,
  params: { userId: string; email: string; place: Place },
): Promise<void> {
  const { userId, email, place } = params;
  const places = hashesOf(place).filter((one) => one !== undefined);
  await putKnownPlaces(tx, { userId, who: digest(email.toLowerCase()), places });
}

function hashesOf({ address, device }: Place): [block: string, browser: string | undefined] {
  return [digest(`block ${addressBlock(address)}`), device ? digest(`browser ${device}`) : undefined];
}
