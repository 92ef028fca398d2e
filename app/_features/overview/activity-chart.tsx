import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { type KeyboardEvent, type PointerEvent, useState } from 'react';
import { Card } from '#app/_components/ui/card.tsx';
import { Segments } from '#app/_components/ui/choice.tsx';
import { Failure } from '#app/_components/ui/failure.tsx';
import { Select } from '#app/_components/ui/select.tsx';
import { Skeleton } from '#app/_components/ui/skeleton.tsx';
import { viewersZone, zoneName } from '#app/_components/ui/times-in.tsx';
import { offsetOf } from '#app/_features/account/zones.ts';
import type { NumberItem } from '#app/_features/numbers/number-sentence.ts';
import { type Outputs, useTRPC } from '#app/_trpc/client.ts';
import { overview } from './words.ts';

const texts = overview.chart;
type Data = Outputs['activity']['chart'];
type Row = Data['rows'][number];
type Range = keyof typeof texts.ranges;

const RANGES = Object.entries(texts.ranges).map(([value, label]) => ({ value: value as Range, label }));
const SERIES = [
  { of: 'failed', tone: 'tone-fail' },
  { of: 'unknown', tone: 'tone-warn' },
  { of: 'notSent', tone: 'tone-mute' },
  { of: 'refused', tone: 'tone-wait' },
] as const;
const LOOK_MS = 15_000;
const HEIGHT = 150;
const WIDTH = 900;
const ALL = 'all';
const count = (value: number) => value.toLocaleString('en');

/** Messages over time, of one number or all. Failures have separate lanes, because the bars would hide them. */
export function ActivityChart({ numbers, mixed }: { numbers: NumberItem[]; mixed: boolean }) {
  const trpc = useTRPC();
  const [range, setRange] = useState<Range>('30d');
  const [chosen, setChosen] = useState<string>(ALL);
  const number = numbers.find(({ id }) => id === chosen);
  const { data, error, refetch } = useQuery(
    trpc.activity.chart.queryOptions(
      { range, ...(number ? { numberId: number.id } : {}) },
      { refetchInterval: LOOK_MS, placeholderData: keepPreviousData },
    ),
  );
  return (
    <Card>
      <div className="flex flex-wrap items-center justify-between gap-x-4 gap-y-2.5 px-4 pt-3.5">
        <h2 className="text-14">{texts.title}</h2>
        <div className="flex flex-wrap gap-2">
          {numbers.length > 1 && (
            <Select
              compact
              aria-label={texts.number}
              value={number?.id ?? ALL}
              onChange={setChosen}
              options={[
                { value: ALL, label: mixed ? texts.allReal : texts.all },
                ...numbers.map(({ id, name }) => ({ value: id, label: name })),
              ]}
            />
          )}
          <Segments label={texts.range} value={range} onChange={setRange} options={RANGES} />
        </div>
      </div>
      <div className="p-4">
        <Failure error={error} retry={refetch} />
        {data ? <Plot data={data} range={range} /> : !error && <Skeleton className="h-[238px]" />}
      </div>
    </Card>
  );
}

function Plot({ data, range }: { data: Data; range: Range }) {
  const { rows, unit } = data;
  const now = new Date();
  const [at, setAt] = useState<number | null>(null);
  const selected = at === null ? undefined : rows[at];
  const total = (of: keyof Omit<Row, 'at'>) => count(rows.reduce((sum, row) => sum + row[of], 0));
  const last = rows.length - 1;
  const top = niceTop(Math.max(...rows.map(({ sent }) => sent)));
  const move = (event: KeyboardEvent) => {
    const step = { ArrowLeft: -1, ArrowRight: 1, Home: -rows.length, End: rows.length }[event.key];
    if (event.key === 'Escape') setAt(null);
    if (step === undefined) return;
    event.preventDefault();
    setAt(Math.min(last, Math.max(0, (at ?? last) + step)));
  };
  const point = (event: PointerEvent) => {
    const { left, width } = event.currentTarget.getBoundingClientRect();
    setAt(Math.min(last, Math.max(0, Math.floor(((event.clientX - left) / width) * rows.length))));
  };
  return (
    <>
      <div className="mb-4 flex flex-wrap items-baseline gap-x-4 gap-y-1 text-13">
        <span>
          <b className="text-24 font-semibold tracking-[-0.03em] tabular-nums">{total('sent')}</b>{' '}
          <span className="text-ink-3">{texts.sent.toLowerCase()}</span>
        </span>
        {SERIES.map(({ of, tone }) => (
          <span key={of} className={`${tone} flex items-center gap-1.5 text-ink-2 tabular-nums`}>
            <i className="size-2 rounded-[2px] bg-tone-solid" />
            {total(of)} {texts[of].toLowerCase()}
          </span>
        ))}
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
        <div
          role="slider"
          tabIndex={0}
          aria-label={texts.label(unit)}
          aria-valuemin={0}
          aria-valuemax={last}
          aria-valuenow={at ?? last}
          aria-valuetext={tipOf(rows[at ?? last], unit)}
          onKeyDown={move}
          onPointerMove={point}
          onPointerLeave={() => setAt(null)}
          onBlur={() => setAt(null)}
          className="relative rounded-2 outline-offset-4"
        >
          <Bars rows={rows} top={top} selected={at} />
          <Lanes rows={rows} />
          <Axis rows={rows} unit={unit} range={range} />
          {selected && <Tip row={selected} unit={unit} share={((at ?? 0) + 0.5) / rows.length} />}
        </div>
      </div>
      {unit === 'day' && rows.length > data.refusedDays && (
        <p className="mt-3 text-12 text-ink-3">{texts.refusedKept(data.refusedDays)}</p>
      )}
      {offsetOf(data.timeZone, now) !== offsetOf(viewersZone(), now) && (
        <p className="mt-3 text-12 text-ink-3">{texts.zone(zoneName(data.timeZone))}</p>
      )}
    </>
  );
}

function Bars({ rows, top, selected }: { rows: Row[]; top: number; selected: number | null }) {
  const slot = WIDTH / rows.length;
  return (
    <svg
      viewBox={`0 0 ${WIDTH} ${HEIGHT}`}
      preserveAspectRatio="none"
      aria-hidden="true"
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
      {rows.map(({ at, sent }, index) => {
        const height = (HEIGHT * sent) / top;
        const full = index === (selected ?? rows.length - 1);
        return (
          <rect
            key={at}
            x={index * slot + slot * 0.13}
            y={HEIGHT - height}
            width={slot * 0.74}
            height={height}
            style={{
              fill: full
                ? 'var(--brand-solid)'
                : 'color-mix(in oklab, var(--brand-solid) 55%, var(--raised))',
            }}
          />
        );
      })}
    </svg>
  );
}

/** A mark for each kind of trouble below its hour or day. */
function Lanes({ rows }: { rows: Row[] }) {
  return (
    <div aria-hidden="true" className="mt-1.5 grid h-8 grid-flow-col auto-cols-fr">
      {rows.map((row) => (
        <span key={row.at} className="flex flex-col items-center gap-0.5">
          {SERIES.map(({ of, tone }) =>
            row[of] > 0 ? (
              <i key={of} className={`${tone} h-1.5 w-full max-w-1.5 rounded-[2px] bg-tone-solid`} />
            ) : null,
          )}
        </span>
      ))}
    </div>
  );
}

function Axis({ rows, unit, range }: { rows: Row[]; unit: Data['unit']; range: Range }) {
  return (
    <div
      aria-hidden="true"
      className="grid text-11 text-ink-3 tabular-nums"
      style={{ gridTemplateColumns: `repeat(${rows.length}, minmax(0, 1fr))` }}
    >
      {axisOf(rows, range).map(({ index, label }) => (
        <span key={index} className="row-start-1 whitespace-nowrap" style={{ gridColumnStart: index + 1 }}>
          {label}
        </span>
      ))}
      <span className="row-start-1 text-right whitespace-nowrap text-ink" style={{ gridColumn: '1 / -1' }}>
        {unit === 'hour' ? texts.now : texts.today}
      </span>
    </div>
  );
}

function Tip({ row, unit, share }: { row: Row; unit: Data['unit']; share: number }) {
  return (
    <div
      className="pointer-events-none absolute -top-2 z-10 rounded-3 border border-line bg-overlay px-2.5 py-1.5 text-12 whitespace-nowrap shadow-pop"
      style={{ left: `${share * 100}%`, transform: `translate(${-share * 100}%, -100%)` }}
    >
      <b className="font-medium">{timeOf(row.at, unit)}</b>
      <span className="block text-ink-2 tabular-nums">{outcomesOf(row)}</span>
    </div>
  );
}

function tipOf(row: Row | undefined, unit: Data['unit']): string {
  return row ? `${timeOf(row.at, unit)}: ${outcomesOf(row)}` : '';
}

function outcomesOf(row: Row): string {
  const others = SERIES.flatMap(({ of }) =>
    row[of] > 0 ? [`${count(row[of])} ${texts[of].toLowerCase()}`] : [],
  );
  return texts.sum(count(row.sent), others);
}

type Unit = 'hour' | 'day';

const day = new Intl.DateTimeFormat('en-GB', { weekday: 'short', day: 'numeric', month: 'short' });
const dayMonth = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short' });
const weekday = new Intl.DateTimeFormat('en-GB', { weekday: 'short' });

/** One label for this many hours or days. The current hour or day has its own label. */
const STEPS = { '24h': 6, '7d': 1, '30d': 7, '90d': 21 } as const;

/** The labels of an axis, by the index of their row. `at`: an hour or a day without a zone, as counted. */
export function axisOf(
  rows: readonly { at: string }[],
  range: keyof typeof STEPS,
): { index: number; label: string }[] {
  const step = STEPS[range];
  const label = (at: string) =>
    range === '24h' ? at.slice(11) : (range === '7d' ? weekday : dayMonth).format(new Date(at));
  return rows.flatMap(({ at }, index) =>
    index % step === 0 && index < rows.length - Math.ceil(step / 2) ? [{ index, label: label(at) }] : [],
  );
}

/** An hour or a day in words. */
export function timeOf(at: string, unit: Unit): string {
  const date = day.format(new Date(at));
  return unit === 'hour' ? `${date}, ${at.slice(11)}` : date;
}

/** The smallest readable multiple of three steps that is at least `value`. */
export function niceTop(value: number): number {
  for (let unit = 1; ; unit *= 10) {
    for (const step of [3, 6, 15]) if (step * unit >= value) return step * unit;
  }
}
