import clsx from 'clsx';
import { Plus } from 'lucide-react';
import type { ComponentProps, ReactNode } from 'react';

/** A filter of the list, set or not. */
export function ChipButton({
  label,
  value,
  ...props
}: { label: string; value: ReactNode } & Omit<ComponentProps<'button'>, 'value'>) {
  return (
    <button
      {...props}
      type="button"
      className={clsx(
        'inline-flex h-7 shrink-0 items-center gap-1.5 rounded-2 border px-[9px] text-12 font-medium whitespace-nowrap max-md:h-8',
        value
          ? 'border-line-strong bg-raised text-ink shadow-card'
          : 'border-dashed border-line-strong text-ink-2 hover:bg-hover',
      )}
    >
      {!value && <Plus className="size-[13px] text-ink-3" />}
      {label}
      {value && <b className="max-w-[160px] truncate font-medium text-brand-fg">{value}</b>}
    </button>
  );
}
