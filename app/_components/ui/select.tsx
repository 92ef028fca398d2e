import clsx from 'clsx';
import { Check, ChevronDown } from 'lucide-react';
import * as Radix from 'radix-ui/select';
import { type ReactNode, useState } from 'react';
import { INPUT } from './input.tsx';

interface Option<V extends string> {
  value: V;
  label: ReactNode;
  /** A second line in the list. */
  hint?: ReactNode;
}

export function Select<V extends string>({
  value,
  onChange,
  options,
  placeholder = '',
  compact = false,
  ...trigger
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
  const [open, setOpen] = useState(false);
  const chosen = options.find((option) => option.value === value);
  return (
    <Radix.Root
      open={open}
      onOpenChange={setOpen}
      {...(value === undefined ? {} : { value })}
      onValueChange={(next) => onChange(next as V)}
    >
      <Radix.Trigger
        {...trigger}
        className={
          compact
            ? 'inline-flex h-6 max-w-[220px] items-center gap-1.5 rounded-2 border border-line-strong bg-raised px-[9px] text-12 font-medium shadow-card max-md:h-8'
            : clsx(INPUT, 'justify-between text-left')
        }
      >
        <span className="min-w-0 flex-1 truncate">{chosen ? chosen.label : placeholder}</span>
        <ChevronDown className="size-3.5 shrink-0 text-ink-3" aria-hidden="true" />
      </Radix.Trigger>
      {/* A closed list renders its options too: work for nothing, and typed letters would change the value. */}
      {open && (
        <Radix.Portal>
          <Radix.Content
            position="popper"
            sideOffset={6}
            align={compact ? 'end' : 'start'}
            collisionPadding={12}
            className="float-in z-[60] max-h-[min(360px,var(--radix-select-content-available-height))] min-w-[max(180px,var(--radix-select-trigger-width))] overflow-hidden rounded-4 border border-line bg-overlay shadow-pop"
          >
            <Radix.Viewport className="p-1">
              {options.map((option) => (
                <Radix.Item
                  key={option.value}
                  value={option.value}
                  className="flex min-h-8 cursor-pointer select-none items-center gap-2 rounded-2 py-1 pr-2 pl-2 text-13 outline-none data-[highlighted]:bg-active max-md:min-h-11"
                >
                  <span className="min-w-0 flex-1">
                    <Radix.ItemText>{option.label}</Radix.ItemText>
                    {option.hint && <span className="block text-12 text-ink-3">{option.hint}</span>}
                  </span>
                  <Radix.ItemIndicator>
                    <Check className="size-3.5 text-brand-fg" />
                  </Radix.ItemIndicator>
                </Radix.Item>
              ))}
            </Radix.Viewport>
          </Radix.Content>
        </Radix.Portal>
      )}
    </Radix.Root>
  );
}
