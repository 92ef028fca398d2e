import { numbers as texts } from '#app/_texts/numbers.ts';
import { NUMBER_TEXTS } from '#app/_texts/states.ts';
import type { Outputs } from '#app/_trpc/client.ts';
import { duration } from './time.tsx';

export type NumberItem = Outputs['numbers']['list'][number];

/** A number's state as a sentence: what is, since when, and what that means for its messages under the plan. */
export function numberSentence(number: NumberItem, now: Date, planWorks: boolean): string {
  const { status, statusReason, sendIntervalSeconds } = number;
  // Said of its plan, not of whether somebody holds it.
  if (number.planStopped && statusReason) return statusReason;
  if (number.heldToDecide) return texts.sentences.toDecide;
  if (number.heldAt) return texts.sentences.held;
  if (!number.withinPlan) return texts.sentences.excess;
  const since = duration(now.getTime() - new Date(number.statusSince).getTime());
  switch (status) {
    case 'CONNECTED':
      return planWorks
        ? texts.sentences.connected(since, sendIntervalSeconds)
        : texts.sentences.planStopped(since);
    case 'UNLINKED':
      return number.phoneNumber === null ? texts.sentences.neverLinked : texts.sentences.unlinked;
    case 'RECONNECTING':
      return number.stranded && !number.planStopped && statusReason
        ? `${statusReason} ${texts.sentences.waitsSince(since)}`
        : (statusReason ?? NUMBER_TEXTS[status].means);
    case 'CONFLICT':
      // Its reason says what to choose.
      return statusReason ?? `${NUMBER_TEXTS[status].means} ${NUMBER_TEXTS[status].todo}`;
    case 'LINKING':
    case 'SYNCING':
    case 'LOGGED_OUT':
    case 'BLOCKED':
    case 'SUSPENDED':
      return [statusReason ?? NUMBER_TEXTS[status].means, NUMBER_TEXTS[status].todo]
        .filter((sentence) => sentence !== 'Nothing.')
        .join(' ');
    default:
      return status satisfies never;
  }
}

/** How long a number has not been well, where its state alone is what keeps it from sending. */
export function unwellFor(number: NumberItem, now: Date): string | null {
  const { status, stranded, planStopped, heldAt, withinPlan } = number;
  const noted =
    ['BLOCKED', 'LOGGED_OUT', 'CONFLICT', 'SUSPENDED'].includes(status) ||
    (status === 'RECONNECTING' && !stranded && !planStopped);
  if (!noted || heldAt || !withinPlan) return null;
  return duration(now.getTime() - new Date(number.statusSince).getTime());
}

/** The sentence where a note beneath says what is so and what to do: how long it has been so. */
export function noteSentence(number: NumberItem, now: Date): string | null {
  const since = unwellFor(number, now);
  return since === null ? null : texts.sentences.noted(since);
}

/** Do its messages leave now? */
export function isSending(number: Pick<NumberItem, 'status' | 'heldAt' | 'withinPlan'>): boolean {
  return number.status === 'CONNECTED' && number.heldAt === null && number.withinPlan;
}

/** How long until a number's queue is empty, in ms, if nothing joins it. */
export function queueMs(number: Pick<NumberItem, 'waiting' | 'sendIntervalSeconds'>): number {
  return number.waiting * number.sendIntervalSeconds * 1000;
}

/** Can a phone be linked to it now? */
export function isLinkable(number: Pick<NumberItem, 'status' | 'stranded'>): boolean {
  return number.stranded || ['UNLINKED', 'LOGGED_OUT', 'LINKING'].includes(number.status);
}
