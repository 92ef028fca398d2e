import { duration } from '#app/_components/ui/time.tsx';
import type { Outputs } from '#app/_trpc/client.ts';
import { endsLink } from '#server/core/number/ends-link.ts';
import { needsSomebody, stopOf } from '#server/core/number-sign.ts';
import { type NumberStatusText, numberStatusText, queueMs } from '#server/core/number-status-text.ts';

export type NumberItem = Outputs['numbers']['list'][number];

/** Everything the pages say about a number at `now`. */
export function wordsOf(number: NumberItem, now: Date): NumberStatusText {
  const keptMs = number.keptBackUntil ? new Date(number.keptBackUntil).getTime() - now.getTime() : 0;
  return numberStatusText(number, {
    since: sinceOf(number, now),
    emptyIn: duration(queueMs(number)),
    keptIn: duration(Math.max(0, keptMs)),
  });
}

function sinceOf(number: NumberItem, now: Date): string {
  return duration(now.getTime() - new Date(number.statusSince).getTime());
}

/** How long a number has not been well, if only its state keeps it from sending. */
export function unwellFor(number: NumberItem, now: Date): string | null {
  const { status, stranded, sessionStop } = number;
  const noted =
    needsSomebody(number) ||
    status === 'SUSPENDED' ||
    (status === 'RECONNECTING' && !stranded && !sessionStop);
  return noted && stopOf(number) === 'status' ? sinceOf(number, now) : null;
}

/**
 * Is it connected, and yet shown as stopped, because the account has no plan or the plan does not include it? Then
 * nothing else on its page says that it is connected.
 */
export function isOnlyLinked({ status, access }: Pick<NumberItem, 'status' | 'access'>): boolean {
  return status === 'CONNECTED' && access !== 'ok';
}

/** Can a phone be linked to it now? */
export function isLinkable(number: Pick<NumberItem, 'status' | 'cause' | 'stranded'>): boolean {
  if (number.status === 'BLOCKED') return endsLink(number.cause);
  return number.stranded || ['UNLINKED', 'LOGGED_OUT', 'LINKING'].includes(number.status);
}

/** Does it need a decision while it is linked? */
export function asksToDecide(number: NumberItem): boolean {
  return number.toDecide > 0 && !isLinkable(number);
}
