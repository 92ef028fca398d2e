import { PairingCodeError } from '#server/core/engine.ts';

/** What WhatsApp's page calls its refusals of a pairing code. Of its error only the text leaves the page. */
const REFUSALS = { IQErrorRateOverlimit: 'too_many', IQErrorBadRequest: 'bad_number' } as const;

/** Why there is no pairing code, of an error of the page. */
export function pairingCodeError(error: Error): PairingCodeError {
  const known = Object.entries(REFUSALS).find(([name]) => error.message.includes(name));
  return new PairingCodeError(known?.[1] ?? 'page', error.message, { cause: error });
}
