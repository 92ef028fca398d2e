import { isSending, type NumberItem, queueMs } from '#app/_components/number-sentence.ts';
import { duration } from '#app/_components/time.tsx';
import { overview } from '#app/_texts/overview.ts';

const texts = overview.today;

/** When what waits on all numbers together has left, or what it waits for where it does not leave. */
export function waitingHelp(numbers: readonly NumberItem[]): string {
  const queued = numbers.filter((number) => number.waiting > 0);
  if (queued.length === 0) return texts.nothingWaits;
  const stopped = queued.filter((number) => !isSending(number));
  if (stopped.length === queued.length) {
    const unconnected = stopped.every(({ status }) => status !== 'CONNECTED');
    return unconnected ? texts.unconnected(stopped.length > 1) : texts.stopped;
  }
  const time = duration(Math.max(...queued.filter(isSending).map(queueMs)));
  if (stopped.length === 0) return texts.emptyIn(time);
  const count = stopped.reduce((sum, number) => sum + number.waiting, 0);
  return texts.emptyButStopped(time, count.toLocaleString('en'));
}
