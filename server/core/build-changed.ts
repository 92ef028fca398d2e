/** The start of a number's reason if this version of Wirebird does not know its build. */
export const BUILD_CHANGED = 'WhatsApp Web has changed (build ';

const OFF = 'Sending is off until Wirebird is updated.';

/** Why such a number is blocked. `what` says what has changed, in a clause. */
export const buildChangedReason = (build: string, what: string): string =>
  `${BUILD_CHANGED}${build}): ${what}. ${OFF}`;

/** The same if numbers continue with an older build. */
export const fallbackReason = (build: string, what: string, good: string): string =>
  `${BUILD_CHANGED}${build}): ${what}. Sending continues with build ${good}, which works.`;

/** Whether such a reason means that nothing is sent. */
export const isSendingOff = (reason: string): boolean => reason.endsWith(OFF);
