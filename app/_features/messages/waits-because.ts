import { isScheduled } from '#app/_components/ui/state-words.ts';
import { type SendConditions, stopOf } from '#server/core/number-sign.ts';
import type { SendPace } from '#server/core/pacing/interval.ts';
import { NOTHING_TO_DO, QUIET_TEXTS } from './is-quiet.ts';
import { paceSentence } from './pace-sentence.ts';

const texts = {
  scheduled: `It is scheduled for later. ${NOTHING_TO_DO}`,
  stopped: 'Its number sends nothing now. Open the number to see why.',
  decide: 'It needs your decision. Open its number to send or discard it.',
};

/** Why a queued message waits; null if nothing is known about its number. */
export function waitsBecause(
  { setAside, sendAt }: { setAside: boolean; sendAt: string | null },
  number: (SendConditions & SendPace) | undefined,
): string | null {
  if (setAside) return texts.decide;
  if (number && stopOf(number) !== null) return texts.stopped;
  if (isScheduled({ status: 'queued', sendAt })) return texts.scheduled;
  return number ? `${QUIET_TEXTS.queued} ${paceSentence(number)} ${NOTHING_TO_DO}` : null;
}
