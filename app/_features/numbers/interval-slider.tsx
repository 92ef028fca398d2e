import { useMutation } from '@tanstack/react-query';
import { type CSSProperties, useState } from 'react';
import { Tag } from '#app/_components/ui/badge.tsx';
import { Button } from '#app/_components/ui/button.tsx';
import { Card } from '#app/_components/ui/card.tsx';
import { Failure } from '#app/_components/ui/failure.tsx';
import { useTRPC } from '#app/_trpc/client.ts';
import { useFeedback } from '#app/_trpc/use-feedback.ts';
import { intervalText, SEND_INTERVAL_SECONDS } from '#server/core/pacing/interval.ts';
import { ADMISSION_WINDOW_MS } from '#server/core/pacing/waits.ts';
import { intervalAt, intervalPlace, intervalStep, slotsAtOnce } from './interval-scale.ts';
import { intervalTexts as texts } from './interval-words.ts';
import type { NumberItem } from './number-sentence.ts';

const STEPS = 1000;
const MARKS: [number, string][] = [
  [5, '5 s'],
  [15, '15 s'],
  [60, '1 min'],
  [180, '3 min'],
  [600, '10 min'],
];

/** The interval of a number, with what it allows in an hour and a day. */
export function IntervalCard({ number, titled = false }: { number: NumberItem; titled?: boolean }) {
  const trpc = useTRPC();
  const { done, refresh } = useFeedback();
  const [draft, setDraft] = useState<number | null>(null);
  const seconds = draft ?? number.sendIntervalSeconds;
  const pace = { sendIntervalSeconds: seconds, protected: number.protected };
  const changed = draft !== null && draft !== number.sendIntervalSeconds;
  const save = useMutation(
    trpc.numbers.setSendInterval.mutationOptions({
      onSuccess: async (saved) => {
        await refresh(trpc.numbers.pathFilter());
        setDraft(null);
        done(texts.saved(saved.sendIntervalSeconds));
      },
    }),
  );
  const slots = slotsAtOnce(pace);
  const perHour = Math.floor(3600 / seconds).toLocaleString('en');
  return (
    <Card className="p-4">
      {titled && <h3 className="mb-1">{texts.label}</h3>}
      <div className="mb-3 flex items-end justify-between">
        <div className="flex items-baseline gap-2">
          <span className="text-[40px] leading-[44px] font-semibold tracking-[-0.045em] tabular-nums">
            {seconds}
          </span>
          <span className="text-ink-2">{texts.seconds(seconds)}</span>
        </div>
        {seconds === SEND_INTERVAL_SECONDS.default && <Tag>{texts.isDefault}</Tag>}
      </div>
      <Slider seconds={seconds} spoken={texts.spoken(seconds, perHour)} onChange={setDraft} />
      <dl className="mt-3 grid grid-cols-2 rounded-3 border border-line bg-sunken">
        <Yield label={texts.perHour} count={perHour} />
        <Yield label={texts.perDay} count={Math.floor(86_400 / seconds).toLocaleString('en')} />
      </dl>
      <Slots slots={slots} />
      <p className="mt-1 text-13 text-ink-2 tabular-nums">
        {texts.atOnce(slots.length)}
        {number.protected && ` ${texts.irregular(intervalText(pace))}`}
      </p>
      <Failure error={save.error} assertive className="mt-3" />
      <div className="mt-2 flex min-h-8 flex-wrap items-start justify-between gap-3">
        <p className="min-w-[220px] flex-1 text-13 text-ink-2">{texts.help}</p>
        {changed && (
          <span className="flex gap-2">
            <Button variant="ghost" onClick={() => setDraft(null)}>
              {texts.undo}
            </Button>
            <Button
              variant="primary"
              busy={save.isPending}
              onClick={() => save.mutate({ numberId: number.id, sendIntervalSeconds: seconds })}
            >
              {texts.save}
            </Button>
          </span>
        )}
      </div>
    </Card>
  );
}

function Yield({ label, count }: { label: string; count: string }) {
  return (
    <div className="flex flex-col-reverse border-line px-3.5 py-2.5 [&+&]:border-l">
      <dt className="text-12 text-ink-3">{label}</dt>
      <dd className="text-20 font-semibold tracking-[-0.03em] tabular-nums">{count}</dd>
    </div>
  );
}

/** Logarithmic, so that common values get most of the room; arrows step, Page keys jump. */
function Slider({
  seconds,
  spoken,
  onChange,
}: {
  seconds: number;
  spoken: string;
  onChange: (seconds: number) => void;
}) {
  const place = Math.round(intervalPlace(seconds) * STEPS);
  return (
    <div>
      <input
        type="range"
        min={0}
        max={STEPS}
        value={place}
        onChange={(event) => onChange(intervalAt(event.target.valueAsNumber / STEPS))}
        onKeyDown={(event) => {
          const next = intervalStep(seconds, event.key);
          if (next === null) return;
          // The slider's own steps are linear, the scale is not.
          event.preventDefault();
          onChange(next);
        }}
        aria-label={texts.label}
        aria-valuetext={spoken}
        style={{ '--place': place / STEPS } as CSSProperties}
        className="slider"
      />
      <div aria-hidden="true" className="relative mx-2.5 mt-0.5 h-[30px] text-11 text-ink-3 tabular-nums">
        {MARKS.map(([at, label], index) => (
          <span
            key={at}
            style={{ left: `${intervalPlace(at) * 100}%` }}
            className={`absolute top-1.5 whitespace-nowrap before:absolute before:-top-1.5 before:h-1 before:w-px before:bg-line-strong before:content-[''] ${markShift(index)}`}
          >
            {label}
          </span>
        ))}
      </div>
    </div>
  );
}

function markShift(index: number): string {
  if (index === 0) return '-translate-x-2.5 before:left-2.5';
  if (index === MARKS.length - 1) return 'translate-x-[calc(-100%+10px)] before:left-[calc(100%-10px)]';
  return '-translate-x-1/2 before:left-1/2';
}

/** The drawing goes a little beyond the time that requests wait. */
const WIDTH_MS = ADMISSION_WINDOW_MS * 1.2;
const at = (ms: number) => `${(ms / WIDTH_MS) * 100}%`;

/** Draws when requests that arrive at once leave, and from when on they are refused. */
function Slots({ slots }: { slots: readonly number[] }) {
  return (
    <div aria-hidden="true" className="mt-4 text-11 text-ink-3 tabular-nums">
      <p className="mb-1.5 text-12 text-ink-2">{texts.drawing(slots.length)}</p>
      <div className="relative h-7 overflow-hidden rounded-2 border border-line bg-sunken">
        <div
          style={{ left: at(ADMISSION_WINDOW_MS) }}
          className="tone-fail absolute inset-y-0 right-0 grid place-items-center border-l border-line bg-tone-bg font-medium whitespace-nowrap text-tone-fg"
        >
          {texts.next}
        </div>
        {slots.map((ms) => (
          <span
            key={ms}
            style={{ left: `calc(${at(ms)} + 3px)` }}
            className="absolute inset-y-[5px] w-1.5 rounded-full bg-brand-solid"
          />
        ))}
      </div>
      <div className="relative h-5">
        <span className="absolute top-1 left-0">0 s</span>
        <span style={{ left: at(ADMISSION_WINDOW_MS) }} className="absolute top-1 -translate-x-1/2">
          40 s
        </span>
      </div>
    </div>
  );
}
