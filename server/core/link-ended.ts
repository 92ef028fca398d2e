/**
 * Refusals that end a link permanently, in words for the number's owner. Each says that the number must be linked
 * again.
 */
export const LINK_ENDED = {
  locked:
    'WhatsApp has locked this number. Open WhatsApp on the phone and verify the number there, then link it again.',
  banned:
    'WhatsApp has banned this number. Open WhatsApp on the phone and ask for a review there. Link it again when WhatsApp has lifted the ban, not before.',
} as const;

/** Is this the reason of a number whose link WhatsApp has ended permanently? */
export function endsLink(reason: string | null): boolean {
  return reason === LINK_ENDED.locked || reason === LINK_ENDED.banned;
}
