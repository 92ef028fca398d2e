import { plural } from '#app/_components/ui/plural.ts';
import { duration } from '#app/_components/ui/time.tsx';
import type { Outputs } from '#app/_trpc/client.ts';
import { longestIntervalSeconds, type SendPace } from '#server/core/pacing/interval.ts';
import { TURNS_MAX } from '#server/core/pacing/waits.ts';
import { paceSentence } from './pace-sentence.ts';

/** A shorter wait needs no explanation. */
const WAIT_MS_MIN = 1000;

/** How a message waited: how long, for how many others, and how long for the turn of the first of them. */
type MessageWait = Pick<Outputs['messages']['get'], 'waitedMs' | 'turnsBefore' | 'firstTurnMs'>;

/** How long a message waited for its turn; null if it did not. The interval is named if it explains the wait. */
export function waitSentence(
  { waitedMs, turnsBefore, firstTurnMs }: MessageWait,
  pace: SendPace | undefined,
): string | null {
  if (!hasWaited(waitedMs)) return null;
  const others = `${turnsBefore >= TURNS_MAX ? 'at least ' : ''}${plural(turnsBefore, 'other message', 'other messages')}`;
  // Without it, the interval and the number of turns do not add up to the wait.
  const itself = hasWaited(firstTurnMs) ? `waited ${duration(firstTurnMs)} itself` : '';
  const first = itself && (turnsBefore === 1 ? ` and ${itself}` : `, and the first of them ${itself}`);
  const came = turnsBefore > 0 ? `: ${others} of this number came first${first}` : '';
  const waited = `The message waited ${duration(waitedMs)} for its turn${came}.`;
  const explains = pace && (turnsBefore > 0 || waitedMs <= longestIntervalSeconds(pace) * 1000);
  return explains ? `${waited} ${paceSentence(pace)}` : waited;
}

const hasWaited = (waitedMs: number | null): waitedMs is number =>
  waitedMs !== null && waitedMs >= WAIT_MS_MIN;
