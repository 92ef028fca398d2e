import clsx from 'clsx';
import { type ReactNode, useId } from 'react';
import { Tick } from './tick.tsx';

export function Checkbox({
  checked,
  onChange,
  disabled = false,
  children,
}: {
  checked: boolean;
  onChange: (checked: boolean) => void;
  disabled?: boolean;
  children: ReactNode;
}) {
  const id = useId();
  return (
    <span className="flex items-start gap-2 text-13">
      <span className="mt-0.5">
        <Tick id={id} checked={checked} disabled={disabled} onChange={onChange} />
      </span>
      <label htmlFor={id}>{children}</label>
    </span>
  );
}

/** A choice between two or three views of a part of the page. */
export function Segments<V extends string>({
  value,
  onChange,
  options,
  label,
  folds = false,
}: {
  value: V;
  onChange: (value: V) => void;
  options: readonly { value: V; label: ReactNode }[];
  label: string;
  /** Three per row on narrow screens. */
  folds?: boolean;
}) {
  const name = useId();
  return (
    <div
      role="radiogroup"
      aria-label={label}
      className={clsx(
        'inline-flex gap-0.5 rounded-3 bg-seg-track p-0.5 shadow-[inset_0_0_0_1px_var(--line-soft)]',
        folds && 'max-sm:grid max-sm:w-full max-sm:grid-cols-3',
      )}
    >
      {options.map((option) => (
        <label key={option.value} className="relative">
          {/* Covers the label, so that all of it is clickable. */}
          <input
            type="radio"
            name={name}
            value={option.value}
            checked={option.value === value}
            onChange={() => onChange(option.value)}
            className="peer absolute inset-0 size-full cursor-pointer appearance-none rounded-2"
          />
          <span
            className={clsx(
              'flex h-6 items-center justify-center gap-1.5 whitespace-nowrap rounded-2 text-12 font-medium max-md:h-8 [&_svg]:size-3.5',
              // One has an edge, so the other is wider by it.
              option.value === value
                ? 'border border-control bg-seg-on px-2.5 text-ink'
                : 'px-[11px] text-ink-2',
            )}
          >
            {option.label}
          </span>
        </label>
      ))}
    </div>
  );
}
