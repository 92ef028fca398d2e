import { duration } from '#app/_components/ui/time.tsx';
import type { NumberItem } from '#app/_features/numbers/number-sentence.ts';
import { stopOf } from '#server/core/number-sign.ts';
import { movingOf, queueMs } from '#server/core/number-status-text.ts';
import { overview } from './words.ts';

const texts = overview.waiting;

/** When all queues will be empty, or what the remaining messages wait for. */
export function waitingHelp(numbers: readonly NumberItem[]): string {
  const waiting = numbers.reduce((sum, number) => sum + number.waiting, 0);
  if (waiting === 0) return texts.nothing;
  const leaves = numbers.filter((number) => stopOf(number) === null && queueMs(number) > 0);
  const stops = numbers.filter((number) => number.waiting > 0 && !leaves.includes(number));
  if (leaves.length > 0) {
    const time = duration(Math.max(...leaves.map(queueMs)));
    const leaving = leaves.reduce((sum, number) => sum + movingOf(number), 0);
    return leaving === waiting
      ? texts.emptyIn(time)
      : texts.emptyButStopped(time, (waiting - leaving).toLocaleString('en'));
  }
  if (stops.every((number) => stopOf(number) === null)) {
    if (stops.some(({ toDecide }) => toDecide > 0)) return texts.toDecide;
    if (stops.every(({ keptBack }) => keptBack === 0)) return texts.scheduled;
    return stops.every(({ scheduled }) => scheduled === 0) ? texts.toNewPeople : texts.later;
  }
  const unconnected = stops.every((number) => stopOf(number) === 'status');
  return unconnected ? texts.unconnected(stops.length > 1) : texts.stopped;
}
