/**
 * Refusals that end a link for good, in words for the number's owner. Nothing is left to try again: only a new link
 * helps, and each says so.
 */
export const LINK_ENDED = {
  locked:
    'WhatsApp has locked this number. Open WhatsApp on the phone and verify the number there, then link it again.',
  banned:
    'WhatsApp has banned this number. Open WhatsApp on the phone and ask for a review there. Link it again when WhatsApp has lifted the ban, not before.',
} as const;

/** Is this the reason of a number whose link WhatsApp has ended for good? */
export function endsLink(reason: string | null): boolean {
  return reason === LINK_ENDED.locked || reason === LINK_ENDED.banned;
}
