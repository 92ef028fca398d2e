import { PairingCodeError } from '#server/core/engine.ts';

/** How WhatsApp's page names its refusals of a pairing code. Only the text of its error leaves the page. */
const REFUSALS = { IQErrorRateOverlimit: 'too_many', IQErrorBadRequest: 'bad_number' } as const;

/** Turns an error of the page into the reason why there is no pairing code. */
export function pairingCodeError(error: Error): PairingCodeError {
  const known = Object.entries(REFUSALS).find(([name]) => error.message.includes(name));
  return new PairingCodeError(known?.[1] ?? 'page', error.message, { cause: error });
}
