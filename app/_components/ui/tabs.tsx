import { type KeyboardEvent, type ReactNode, useId } from 'react';

const STEPS: Record<string, (at: number, count: number) => number> = {
  ArrowRight: (at, count) => (at + 1) % count,
  ArrowLeft: (at, count) => (at - 1 + count) % count,
  Home: () => 0,
  End: (_, count) => count - 1,
};

/** Views of one thing, one at a time. Arrow keys, Home and End switch between them. */
export function Tabs<V extends string>({
  value,
  onChange,
  options,
  label,
  aside,
  children,
}: {
  value: V;
  onChange: (value: V) => void;
  options: readonly { value: V; label: ReactNode }[];
  label: string;
  /** Shown at the end of the row. */
  aside?: ReactNode;
  children: ReactNode;
}) {
  const id = useId();
  const step = (event: KeyboardEvent<HTMLElement>) => {
    const at = options.findIndex((option) => option.value === value);
    const next = STEPS[event.key]?.(at, options.length);
    const option = next === undefined ? undefined : options[next];
    if (!option) return;
    event.preventDefault();
    onChange(option.value);
    event.currentTarget.querySelectorAll<HTMLElement>('[role=tab]')[next ?? 0]?.focus();
  };
  return (
    <div className="card min-w-0 overflow-hidden rounded-4 border border-line bg-raised shadow-card">
      <div className="flex items-center gap-2 border-b border-line bg-sunken pr-2 pl-1.5">
        <div
          role="tablist"
          aria-label={label}
          onKeyDown={step}
          className="flex min-w-0 flex-1 gap-0.5 overflow-x-auto"
        >
          {options.map((option) => (
            <button
              key={option.value}
              type="button"
              role="tab"
              id={`${id}-${option.value}`}
              aria-selected={option.value === value}
              aria-controls={`${id}-panel`}
              tabIndex={option.value === value ? 0 : -1}
              onClick={() => onChange(option.value)}
              className="-mb-px flex h-9 items-center border-b-2 border-transparent px-2.5 text-13 font-medium whitespace-nowrap text-ink-3 aria-selected:border-brand-solid aria-selected:text-ink max-md:h-11"
            >
              {option.label}
            </button>
          ))}
        </div>
        {aside}
      </div>
      <div role="tabpanel" id={`${id}-panel`} aria-labelledby={`${id}-${value}`}>
        {children}
      </div>
    </div>
  );
}
