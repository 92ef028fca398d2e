import type { NumberItem } from '#app/_features/numbers/number-sentence.ts';
import type { NumberStatus } from '#server/core/number-state.ts';
import { linking as texts } from './words.ts';

/** Which phone to use; nothing once it is linked. */
export function leadOf(
  number: Pick<NumberItem, 'network' | 'phoneText' | 'replacementText'>,
  status: NumberStatus,
): string | null {
  if (status === 'CONNECTED') return null;
  if (number.network === 'sandbox') return texts.leadSandbox;
  if (number.replacementText) return texts.leadReplacing(number.replacementText);
  return number.phoneText ? texts.leadAgain(number.phoneText) : texts.lead;
}
