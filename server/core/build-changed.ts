/** How the reason of a number begins whose WhatsApp Web is not what this version of Wirebird knows. */
export const BUILD_CHANGED = 'WhatsApp Web has changed (build ';

/** Why such a number is blocked. `what` says what has changed, in a clause. */
export const buildChangedReason = (build: string, what: string): string =>
  `${BUILD_CHANGED}${build}): ${what}. Sending is off until Wirebird is updated.`;
