'use client';

import { Card, CardHead } from '#app/_components/ui/card.tsx';
import type { Outputs } from '#app/_trpc/client.ts';
import { overview } from './words.ts';

const texts = overview.days;
const dayMonth = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' });
const dayText = (day: string) => dayMonth.format(new Date(`${day}T12:00:00`));
const count = (value: number) => value.toLocaleString('en');

const HEIGHT = 150;
const WIDTH = 900;

/** The volume of a month. Failures have their own lane: stacked on the bars they would be invisible. */
export function DaysChart({
  days,
  sandboxLeftOut,
}: {
  days: Outputs['account']['overview']['days'];
  sandboxLeftOut: boolean;
}) {
  const most = Math.max(...days.map((day) => day.sent));
  const top = niceTop(most);
  const total = (of: 'sent' | 'failed' | 'unknown') => days.reduce((sum, day) => sum + day[of], 0);
  const slot = WIDTH / days.length;
  const label = texts.label(dayText(days[0]?.day ?? ''), dayText(days.at(-1)?.day ?? ''), count(most));
  return (
    <Card>
      <CardHead title={texts.title}>
        <div className="flex gap-4 text-12 text-ink-3 max-md:gap-2.5">
          <Legend tone="brand" label={texts.sent} />
          <Legend tone="fail" label={texts.failed} />
          <Legend tone="warn" label={texts.unknown} />
        </div>
      </CardHead>
      <div className="p-4">
        <div className="mb-4 flex flex-wrap items-baseline gap-x-3">
          <span className="text-24 font-semibold tracking-[-0.03em] tabular-nums">
            {count(total('sent'))}
          </span>
          <span className="text-13 text-ink-3 tabular-nums">
            {texts.summary(count(total('failed')), count(total('unknown')))}
            {sandboxLeftOut && <span className="max-sm:hidden">, {texts.aside}</span>}
          </span>
        </div>
        <div className="grid grid-cols-[34px_minmax(0,1fr)] gap-2.5">
          <div
            aria-hidden="true"
            className="flex h-[150px] flex-col justify-between text-right text-11 leading-none! text-ink-3 tabular-nums [&>span]:h-0 [&>span]:leading-[0]"
          >
            {[1, 2 / 3, 1 / 3, 0].map((share) => (
              <span key={share}>{count(Math.round(top * share))}</span>
            ))}
          </div>
          <div>
            <svg
              viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
              preserveAspectRatio="none"
              role="img"
              aria-label={label}
              className="block h-[150px] w-full overflow-visible"
            >
              {[0, 1 / 3, 2 / 3, 1].map((share) => (
                <line
                  key={share}
                  x1="0"
                  x2={WIDTH}
                  y1={HEIGHT * share}
                  y2={HEIGHT * share}
                  vectorEffect="non-scaling-stroke"
                  stroke="var(--line-soft)"
                />
              ))}
              {days.map((day, index) => {
                const height = (HEIGHT * day.sent) / top;
                const today = index === days.length - 1;
                return (
                  <rect
                    key={day.day}
                    x={index * slot + slot * 0.13}
                    y={HEIGHT - height}
                    width={slot * 0.74}
                    height={height}
                    className="hover:fill-[var(--brand-solid)]!"
                    style={{
                      fill: today
                        ? 'var(--brand-solid)'
                        : 'color-mix(in oklab, var(--brand-solid) 55%, var(--raised))',
                    }}
                  >
                    <title>{texts.tip(dayText(day.day), count(day.sent))}</title>
                  </rect>
                );
              })}
            </svg>
            <Lane days={days} />
            <Axis days={days} />
          </div>
        </div>
      </div>
    </Card>
  );
}

function Legend({ tone, label }: { tone: 'brand' | 'fail' | 'warn'; label: string }) {
  return (
    <span className={`tone-${tone} flex items-center gap-1.5`}>
      <i className="size-2 rounded-[2px] bg-tone-solid" />
      {label}
    </span>
  );
}

function Lane({ days }: { days: Outputs['account']['overview']['days'] }) {
  return (
    <div className="mt-1.5 grid h-5 grid-flow-col auto-cols-fr">
      {days.map((day) => (
        <span key={day.day} className="flex flex-col items-center gap-0.5">
          {day.failed > 0 && (
            <i
              className="tone-fail size-1.5 rounded-[2px] bg-tone-solid"
              title={texts.tipFailed(day.failed)}
            />
          )}
          {day.unknown > 0 && (
            <i
              className="tone-warn size-1.5 rounded-[2px] bg-tone-solid"
              title={texts.tipUnknown(day.unknown)}
            />
          )}
        </span>
      ))}
    </div>
  );
}

/** A day below every seventh bar, and today. */
function Axis({ days }: { days: Outputs['account']['overview']['days'] }) {
  return (
    <div
      aria-hidden="true"
      className="grid text-11 text-ink-3 tabular-nums"
      style={{ gridTemplateColumns: `repeat(${days.length}, 1fr)` }}
    >
      {[0, 7, 14, 21].map((at) => (
        <span key={at} className="row-start-1 whitespace-nowrap" style={{ gridColumn: `${at + 1} / span 5` }}>
          {dayText(days[at]?.day ?? '')}
        </span>
      ))}
      <span
        className="row-start-1 text-right whitespace-nowrap text-ink"
        style={{ gridColumn: `${days.length - 4} / span 5` }}
      >
        {texts.today}
      </span>
    </div>
  );
}

/** The smallest readable multiple of three steps that is at least `value`. */
function niceTop(value: number): number {
  for (let unit = 1; ; unit *= 10) {
    for (const step of [3, 6, 15]) if (step * unit >= value) return step * unit;
  }
}
