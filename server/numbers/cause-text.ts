import type { Cause } from '#server/core/number/cause.ts';
import { sayCause } from '#server/core/number/say.ts';
import { settings } from '#server/settings.ts';

/** Why a number is in its state, as a sentence for its owner. */
export function causeText<Given extends Cause | null>(
  cause: Given,
): Given extends Cause ? string : string | null;
export function causeText(cause: Cause | null): string | null {
  return cause && sayCause(cause, settings);
}
