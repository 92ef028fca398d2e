import { plural } from '#app/_components/ui/plural.ts';
import { duration } from '#app/_components/ui/time.tsx';
import { longestIntervalSeconds, type SendPace } from '#server/core/pacing/interval.ts';
import { TURNS_MAX } from '#server/core/pacing/waits.ts';
import { hasWaited } from './has-waited.ts';
import { paceSentence } from './pace-sentence.ts';

/** How long a message waited for its turn; null if it did not. The interval is named if it explains the wait. */
export function waitSentence(
  { waitedMs, turnsBefore }: { waitedMs: number | null; turnsBefore: number },
  pace: SendPace | undefined,
): string | null {
  if (!hasWaited(waitedMs)) return null;
  const others = `${turnsBefore >= TURNS_MAX ? 'at least ' : ''}${plural(turnsBefore, 'other message', 'other messages')}`;
  const waited = `The message waited ${duration(waitedMs)} for its turn${turnsBefore > 0 ? `: ${others} of this number came first` : ''}.`;
  const explains = pace && (turnsBefore > 0 || waitedMs <= longestIntervalSeconds(pace) * 1000);
  return explains ? `${waited} ${paceSentence(pace)}` : waited;
}
