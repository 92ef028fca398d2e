'use client';

import { Check, Search, X } from 'lucide-react';
import { type ReactNode, useEffect, useRef, useState } from 'react';
import { CsvLink } from '#app/_components/ui/csv-link.tsx';
import { Menu, MenuItem, MenuLine } from '#app/_components/ui/menu.tsx';
import { MESSAGE_TEXTS } from '#app/_components/ui/state-words.ts';
import { MESSAGE_SIGNS, NumberGlyph } from '#app/_components/ui/states.tsx';
import { StatusIcon } from '#app/_components/ui/status-icon.tsx';
import { KIND_ICONS } from '#app/_features/kinds/kind-icon.tsx';
import { KIND_LABELS } from '#app/_features/kinds/kind-labels.ts';
import { useNumbers } from '#app/_features/shell/use-numbers.ts';
import { MESSAGE_TYPES } from '#server/core/message.ts';
import { MESSAGE_STATUSES } from '#server/core/message-state.ts';
import { signOf } from '#server/core/number-sign.ts';
import { CSV_PATHS } from '#server/dashboard/csv-paths.ts';
import { ChipButton } from './chip-button.tsx';
import { DayChip } from './day-chip.tsx';
import { inputOf, useFilters } from './filters.ts';
import { messages as texts } from './words.ts';

/** The search starts when typing pauses. */
const TYPING_MS = 250;

export function FilterBar() {
  const [filters, change] = useFilters();
  const numbers = useNumbers();
  const number = numbers.find(({ id }) => id === filters.numberId);
  return (
    <div className="flex flex-wrap items-center gap-2 py-3 pr-3 pl-5 max-md:flex-col max-md:items-stretch max-md:gap-3 max-md:px-4 max-md:pt-4">
      <SearchField />
      <div className="flex gap-1.5 max-md:-mx-4 max-md:overflow-x-auto max-md:px-4">
        <DayChip day={filters.day} onChange={(day) => change({ day })} />
        <Chip
          label={texts.filters.state}
          value={filters.status && MESSAGE_TEXTS[filters.status].name}
          onClear={() => change({ status: undefined })}
        >
          {MESSAGE_STATUSES.map((status) => (
            <MenuItem key={status} onSelect={() => change({ status })}>
              <StatusIcon {...MESSAGE_SIGNS[status]} />
              <span className="flex-1">{MESSAGE_TEXTS[status].name}</span>
              {filters.status === status && <Check />}
            </MenuItem>
          ))}
        </Chip>
        <Chip
          label={texts.filters.number}
          value={filters.numberId && (number?.name ?? filters.numberId)}
          onClear={() => change({ numberId: undefined })}
        >
          {numbers.map((one) => (
            <MenuItem key={one.id} onSelect={() => change({ numberId: one.id })}>
              <NumberGlyph sign={signOf(one)} />
              <span className="min-w-0 flex-1 truncate">{one.name}</span>
              {filters.numberId === one.id && <Check />}
            </MenuItem>
          ))}
        </Chip>
        <Chip
          label={texts.filters.kind}
          value={filters.type && KIND_LABELS[filters.type]}
          onClear={() => change({ type: undefined })}
        >
          {MESSAGE_TYPES.map((type) => {
            const Icon = KIND_ICONS[type];
            return (
              <MenuItem key={type} onSelect={() => change({ type })}>
                <Icon />
                <span className="flex-1">{KIND_LABELS[type]}</span>
                {filters.type === type && <Check />}
              </MenuItem>
            );
          })}
        </Chip>
      </div>
      <span className="ml-auto max-md:hidden">
        <CsvLink path={CSV_PATHS.messages} query={inputOf(filters)} label={texts.csv} />
      </span>
    </div>
  );
}

function SearchField() {
  const [filters, change] = useFilters();
  const given = filters.search ?? '';
  const [text, setText] = useState(given);
  const field = useRef<HTMLInputElement>(null);

  // The address changed from outside (back, a link): the field follows, unless the user is typing in it.
  useEffect(() => {
    if (document.activeElement !== field.current) setText(given);
  }, [given]);
  useEffect(() => {
    if (text.trim() === given) return;
    const timer = setTimeout(() => change({ search: text.trim() || undefined }), TYPING_MS);
    return () => clearTimeout(timer);
  }, [text, given, change]);
  useEffect(() => {
    const focus = (event: KeyboardEvent) => {
      const target = event.target as HTMLElement;
      if (event.key !== '/' || /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName)) return;
      event.preventDefault();
      field.current?.focus();
    };
    window.addEventListener('keydown', focus);
    return () => window.removeEventListener('keydown', focus);
  }, []);

  return (
    <label className="flex h-7 w-full min-w-[180px] max-w-[280px] items-center gap-2 rounded-2 border border-line-strong bg-[light-dark(var(--raised),var(--sunken))] pr-1.5 pl-2.5 focus-within:border-focus focus-within:ring-3 focus-within:ring-[color-mix(in_oklab,var(--focus)_22%,transparent)] max-md:h-10 max-md:max-w-none max-md:rounded-3">
      <Search className="size-3.5 shrink-0 text-ink-3" />
      <input
        ref={field}
        type="search"
        value={text}
        onChange={(event) => setText(event.target.value)}
        aria-label={texts.searchLabel}
        placeholder={texts.search}
        maxLength={200}
        className="min-w-0 flex-1 bg-transparent text-13 outline-none max-md:text-16 [&::-webkit-search-cancel-button]:hidden"
      />
      {text ? (
        <button type="button" aria-label={texts.filters.clear} onClick={() => setText('')}>
          <X className="size-3.5 text-ink-3" />
        </button>
      ) : (
        <kbd className="max-md:hidden">/</kbd>
      )}
    </label>
  );
}

function Chip({
  label,
  value,
  onClear,
  children,
}: {
  label: string;
  value: string | undefined;
  onClear: () => void;
  children: ReactNode;
}) {
  return (
    <Menu align="start" trigger={<ChipButton label={label} value={value} />}>
      {value && (
        <>
          <MenuItem onSelect={onClear}>
            <X />
            {texts.filters.any}
          </MenuItem>
          <MenuLine />
        </>
      )}
      {children}
    </Menu>
  );
}
