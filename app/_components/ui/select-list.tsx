import { Check } from 'lucide-react';
import * as Radix from 'radix-ui/select';
import type { ReactNode, RefObject } from 'react';
import { VirtualAnchor } from './virtual-anchor.tsx';

export interface Option<V extends string> {
  value: V;
  label: ReactNode;
  /** A second line in the list. */
  hint?: ReactNode;
}

export function List<V extends string>({
  anchor,
  id,
  value,
  options,
  align,
  onChange,
  onClose,
}: {
  anchor: RefObject<HTMLElement | null>;
  id: string;
  value: V | undefined;
  options: readonly Option<V>[];
  align: 'start' | 'end';
  onChange: (value: V) => void;
  onClose: () => void;
}) {
  return (
    <Radix.Root
      open
      onOpenChange={(open) => !open && onClose()}
      {...(value === undefined ? {} : { value })}
      onValueChange={(next) => onChange(next as V)}
    >
      <Radix.Trigger asChild>
        <VirtualAnchor anchor={anchor} onGone={onClose} />
      </Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          id={id}
          position="popper"
          sideOffset={6}
          align={align}
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
    </Radix.Root>
  );
}
