import { isScheduled } from '#app/_components/ui/state-words.ts';
import { type SendConditions, stopOf } from '#server/core/number-sign.ts';
import { messages } from './words.ts';

const texts = messages.detail;

/** Why a queued message waits for more than its turn; null if it does not. */
export function waitsBecause(
  { setAside, sendAt }: { setAside: boolean; sendAt: string | null },
  number: SendConditions | undefined,
): string | null {
  if (setAside) return texts.decide;
  if (number && stopOf(number) !== null) return texts.stopped;
  return isScheduled({ status: 'queued', sendAt }) ? texts.scheduled : null;
}
