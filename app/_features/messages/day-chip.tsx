'use client';

import { Check, X } from 'lucide-react';
import { useId, useState } from 'react';
import { Input } from '#app/_components/ui/input.tsx';
import { Popover } from '#app/_components/ui/popover.tsx';
import { day as dayText, useNow } from '#app/_components/ui/time.tsx';
import { ChipButton } from './chip-button.tsx';
import { dayName } from './filters.ts';
import { messages } from './words.ts';

const texts = messages.filters;
const ROW =
  'flex min-h-8 w-full items-center gap-2.5 rounded-2 px-2 py-1 text-left text-13 outline-none hover:bg-active focus-visible:bg-active max-md:min-h-11 [&_svg]:size-4 [&_svg]:text-ink-3';

export function DayChip({
  day,
  onChange,
}: {
  day: string | undefined;
  onChange: (day: string | undefined) => void;
}) {
  const now = useNow(60_000);
  const field = useId();
  const [open, setOpen] = useState(false);
  const today = dayName(now);
  const yesterday = dayName(new Date(now.getFullYear(), now.getMonth(), now.getDate() - 1));
  const near: [string, string][] = [
    [today, texts.today],
    [yesterday, texts.yesterday],
  ];
  const name = day && (near.find(([at]) => at === day)?.[1] ?? dayText(day));
  const choose = (next: string | undefined) => {
    onChange(next);
    setOpen(false);
  };
  return (
    <Popover
      open={open}
      onOpenChange={setOpen}
      label={texts.day}
      className="w-[220px] p-1"
      trigger={<ChipButton label={texts.day} value={name} />}
    >
      {day && (
        <button type="button" className={ROW} onClick={() => choose(undefined)}>
          <X />
          {texts.any}
        </button>
      )}
      {near.map(([at, label]) => (
        <button key={at} type="button" className={ROW} onClick={() => choose(at)}>
          <span className="flex-1">{label}</span>
          {day === at && <Check />}
        </button>
      ))}
      <label
        htmlFor={field}
        className="mt-1 block border-t border-line-soft px-2 pt-2 pb-1.5 text-12 text-ink-3"
      >
        {texts.anotherDay}
        <Input
          id={field}
          type="date"
          max={today}
          value={day ?? ''}
          onChange={(event) => event.target.value && onChange(event.target.value)}
          className="mt-1"
        />
      </label>
    </Popover>
  );
}
