import clsx from 'clsx';
import { duration } from '#app/_components/ui/time.tsx';
import type { Lane } from '#server/core/pacing/lanes.ts';
import { type Due, queueSpan } from './queue-scale.ts';
import { numbers } from './words.ts';

const texts = numbers.queueStrip;

const COLOURS: Record<Lane, string> = { sync: 'bg-brand-solid', async: 'bg-control' };
const TICKS = [0.25, 0.5, 0.75, 1];

/** Draws when the waiting messages leave. The list below it says the same in words. */
export function QueueStrip({ rows }: { rows: readonly (Due & { id: string; lane: Lane })[] }) {
  const { spanMs, later } = queueSpan(rows);
  return (
    <div aria-hidden="true" className="px-4 pb-3 text-11 text-ink-3 tabular-nums">
      <div className="relative h-8 overflow-hidden rounded-2 border border-line bg-sunken">
        {rows.map(({ id, inMs, lane }) =>
          inMs === null || inMs > spanMs ? null : (
            <span
              key={id}
              style={{ left: `calc(${(inMs / spanMs) * 97}% + 4px)` }}
              className={clsx('absolute inset-y-[5px] w-1 rounded-full', COLOURS[lane])}
            />
          ),
        )}
      </div>
      <div className="relative mt-1 h-4">
        <span className="absolute left-0">{texts.now}</span>
        {TICKS.map((tick) => (
          <span
            key={tick}
            style={{ left: `${tick * 97}%` }}
            className={clsx(
              'absolute whitespace-nowrap',
              tick === 1 ? '-translate-x-[70%]' : '-translate-x-1/2',
            )}
          >
            {duration(spanMs * tick)}
          </span>
        ))}
      </div>
      <div className="mt-1 flex flex-wrap gap-x-4">
        {(['sync', 'async'] as const)
          .filter((lane) => rows.some((row) => row.lane === lane))
          .map((lane) => (
            <span key={lane} className="flex items-center gap-1.5">
              <span className={clsx('h-2.5 w-1 rounded-full', COLOURS[lane])} />
              {texts[lane]}
            </span>
          ))}
        {later > 0 && <span>{texts.later(later)}</span>}
      </div>
    </div>
  );
}
