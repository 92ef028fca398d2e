import type { SendPace } from '#server/core/pacing/interval.ts';
import { type MessageWait, waitSentence } from './wait-words.ts';

/** How long a message waited for its turn, or `otherwise` if it did not. Loads on demand. */
export default function WaitNote({
  message,
  pace,
  otherwise,
}: {
  message: MessageWait;
  pace: SendPace | undefined;
  otherwise: string;
}) {
  return waitSentence(message, pace) ?? otherwise;
}
