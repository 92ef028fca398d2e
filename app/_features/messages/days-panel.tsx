import { Check, X } from 'lucide-react';
import { useId } from 'react';
import { Input } from '#app/_components/ui/input.tsx';
import { dayName, useNow } from '#app/_components/ui/time.tsx';
import { PRESETS, parseDays, writeDays } from './days.ts';
import { daysText } from './days-text.ts';
import { messages } from './words.ts';

const texts = messages.filters;
const ROW =
  'flex min-h-8 w-full items-center gap-2.5 rounded-2 px-2 py-1 text-left text-13 outline-none hover:bg-active focus-visible:bg-active max-md:min-h-11 [&_svg]:size-4 [&_svg]:text-ink-3';

/** Frequent days, and two dates. */
export function DaysPanel({
  days,
  onPick,
  onChange,
}: {
  days: string | undefined;
  /** Closes the panel. */
  onPick: (days: string | undefined) => void;
  onChange: (days: string | undefined) => void;
}) {
  const today = dayName(useNow(60_000));
  const range = parseDays(days ?? '') ?? { first: '', last: '' };
  return (
    <>
      {days && (
        <button type="button" className={ROW} onClick={() => onPick(undefined)}>
          <X />
          {texts.any}
        </button>
      )}
      {PRESETS.map((preset) => (
        <button key={preset} type="button" className={ROW} onClick={() => onPick(preset)}>
          <span className="flex-1">{daysText(preset)}</span>
          {days === preset && <Check />}
        </button>
      ))}
      <div className="mt-1 flex flex-col gap-2 border-t border-line-soft px-2 pt-2 pb-1.5">
        <DateField
          label={texts.first}
          date={range.first}
          max={range.last || today}
          onChange={(first) => onChange(writeDays({ ...range, first }))}
        />
        <DateField
          label={texts.last}
          date={range.last}
          min={range.first}
          max={today}
          onChange={(last) => onChange(writeDays({ ...range, last }))}
        />
      </div>
    </>
  );
}

function DateField({
  label,
  date,
  min,
  max,
  onChange,
}: {
  label: string;
  date: string;
  min?: string;
  max: string;
  onChange: (date: string) => void;
}) {
  const id = useId();
  return (
    <label htmlFor={id} className="block text-12 text-ink-3">
      {label}
      <Input
        id={id}
        type="date"
        min={min}
        max={max}
        value={date}
        onChange={(event) => onChange(event.target.value)}
        className="mt-1"
      />
    </label>
  );
}
