import { useQuery } from '@tanstack/react-query';
import { Search, X } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { ChipButton } from '#app/_components/ui/chip-button.tsx';
import { CsvLink } from '#app/_components/ui/csv-link.tsx';
import { Menu } from '#app/_components/ui/menu.tsx';
import { Popover } from '#app/_components/ui/popover.tsx';
import { MESSAGE_NAMES } from '#app/_components/ui/state-words.ts';
import { KIND_LABELS } from '#app/_features/kinds/kind-labels.ts';
import { useMe } from '#app/_features/shell/me.tsx';
import { useNumbers } from '#app/_features/shell/use-numbers.ts';
import { ViewsChip } from '#app/_features/views/views-chip.tsx';
import { useTRPC } from '#app/_trpc/client.ts';
import { CSV_PATHS } from '#server/dashboard/paths.ts';
import { DaysPanel } from './days-panel.tsx';
import { daysText } from './days-text.ts';
import { FilterItems, type ListFilter } from './filter-items.tsx';
import { inputOf } from './filters.ts';
import { useFilters } from './use-filters.ts';
import { messages as texts } from './words.ts';

/** The search starts when typing pauses. */
const TYPING_MS = 250;

export function FilterBar() {
  const [filters, change] = useFilters();
  const { shown } = useMe();
  const numbers = useNumbers();
  const number = numbers.find(({ id }) => id === filters.numberId);
  const trpc = useTRPC();
  const { data: keys } = useQuery({ ...trpc.keys.list.queryOptions(), enabled: filters.keyId !== undefined });
  const key = keys?.find(({ id }) => id === filters.keyId);
  return (
    <div className="flex flex-wrap items-center gap-2 py-3 pr-3 pl-5 max-md:flex-col max-md:items-stretch max-md:gap-3 max-md:px-4 max-md:pt-4">
      <SearchField />
      <div className="flex flex-wrap gap-1.5 md:@max-4xl:order-last md:@max-4xl:w-full">
        <ViewsChip list="messages" />
        <DaysChip days={filters.days} onChange={(days) => change({ days })} />
        <FilterChip of="status" value={filters.status && MESSAGE_NAMES[filters.status]} />
        <FilterChip of="numberId" value={filters.numberId && (number?.name ?? filters.numberId)} />
        <FilterChip of="keyId" value={filters.keyId && (key ? key.name || key.hint : filters.keyId)} />
        <FilterChip of="type" value={filters.type && KIND_LABELS[filters.type]} />
        <FilterChip of="errorCode" value={filters.errorCode} />
      </div>
      <span className="ml-auto max-md:hidden">
        <CsvLink path={CSV_PATHS.messages} query={{ ...inputOf(filters), ...shown }} label={texts.csv} />
      </span>
    </div>
  );
}

function SearchField() {
  const [filters, change] = useFilters();
  const given = filters.search ?? '';
  const [text, setText] = useState(given);
  const field = useRef<HTMLInputElement>(null);

  // What this field last searched for: any other search in the address comes from outside (Back, a link).
  const searched = useRef(given);
  useEffect(() => {
    if (given === searched.current) return;
    searched.current = given;
    setText(given);
  }, [given]);
  useEffect(() => {
    const search = text.trim();
    if (search === searched.current) return;
    const timer = setTimeout(() => {
      searched.current = search;
      change({ search: search || undefined });
    }, TYPING_MS);
    return () => clearTimeout(timer);
  }, [text, change]);
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
    <label className="flex h-7 w-full min-w-[180px] max-w-[280px] items-center gap-2 rounded-2 border border-control bg-[light-dark(var(--raised),var(--sunken))] pr-1.5 pl-2.5 focus-within:border-focus focus-within:ring-3 focus-within:ring-[color-mix(in_oklab,var(--focus)_22%,transparent)] max-md:h-10 max-md:max-w-none max-md:rounded-3">
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

const LABELS: Record<ListFilter, string> = {
  status: texts.filters.state,
  numberId: texts.filters.number,
  keyId: texts.filters.key,
  type: texts.filters.kind,
  errorCode: texts.filters.errorCode,
};

/** A filter with a menu of its values. */
function FilterChip({ of, value }: { of: ListFilter; value: string | undefined }) {
  const [filters, change] = useFilters();
  return (
    <Menu align="start" trigger={<ChipButton label={LABELS[of]} value={value} />}>
      <FilterItems of={of} filters={filters} change={change} />
    </Menu>
  );
}

function DaysChip({
  days,
  onChange,
}: {
  days: string | undefined;
  onChange: (days: string | undefined) => void;
}) {
  const [open, setOpen] = useState(false);
  const close = (chosen: string | undefined) => {
    onChange(chosen);
    setOpen(false);
  };
  return (
    <Popover
      open={open}
      onOpenChange={setOpen}
      label={texts.filters.days}
      className="w-[220px] p-1"
      trigger={<ChipButton label={texts.filters.days} value={days && daysText(days)} />}
    >
      <DaysPanel days={days} onPick={close} onChange={onChange} />
    </Popover>
  );
}
