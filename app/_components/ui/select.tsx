import clsx from 'clsx';
import { ChevronDown } from 'lucide-react';
import { useId, useRef, useState } from 'react';
import { INPUT } from './input.tsx';
import { lazyModule } from './lazy-module.ts';
import type { Option } from './select-list.tsx';

const useParts = lazyModule(() => import('./select-list.tsx'));

export function Select<V extends string>({
  value,
  onChange,
  options,
  placeholder,
  compact = false,
  id,
  ...aria
}: {
  value: V | undefined;
  onChange: (value: V) => void;
  options: readonly Option<V>[];
  placeholder?: string;
  /** Shown as a chip beside a heading instead of a form control. */
  compact?: boolean;
  id?: string;
  'aria-label'?: string;
  'aria-describedby'?: string;
  'aria-invalid'?: true;
}) {
  const list = useId();
  const anchor = useRef<HTMLButtonElement>(null);
  const [parts, fetchParts] = useParts();
  const [open, setOpen] = useState(false);
  const show = () => {
    fetchParts();
    setOpen(true);
  };
  const chosen = options.find((option) => option.value === value);
  return (
    <>
      <button
        ref={anchor}
        type="button"
        role="combobox"
        id={id}
        {...aria}
        aria-haspopup="listbox"
        aria-expanded={open}
        aria-controls={list}
        onPointerEnter={fetchParts}
        onFocus={fetchParts}
        onClick={show}
        onKeyDown={(event) => {
          if (event.key !== 'ArrowDown' && event.key !== 'ArrowUp') return;
          event.preventDefault();
          show();
        }}
        className={
          compact
            ? 'inline-flex h-6 max-w-[220px] items-center gap-1.5 rounded-2 border border-line-strong bg-raised px-[9px] text-12 font-medium shadow-card max-md:h-8'
            : clsx(INPUT, 'justify-between text-left')
        }
      >
        <span className="min-w-0 flex-1 truncate">{chosen ? chosen.label : (placeholder ?? '')}</span>
        <ChevronDown className="size-3.5 shrink-0 text-ink-3" aria-hidden="true" />
      </button>
      {open && parts && (
        <parts.List
          anchor={anchor}
          id={list}
          value={value}
          options={options}
          align={compact ? 'end' : 'start'}
          onChange={onChange}
          onClose={() => setOpen(false)}
        />
      )}
    </>
  );
}
