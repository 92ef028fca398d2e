import clsx from 'clsx';
import * as Radix from 'radix-ui/popover';
import { type ReactElement, type ReactNode, useRef } from 'react';
import { useHidden } from './use-hidden.ts';

/** A small panel of controls behind a button. Escape or a click outside closes it. */
export function Popover({
  trigger,
  label,
  align = 'start',
  className,
  open,
  onOpenChange,
  children,
}: {
  trigger: ReactElement;
  label: string;
  align?: 'start' | 'end';
  className: string;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  children: ReactNode;
}) {
  const button = useRef<HTMLButtonElement>(null);
  useHidden(button, () => onOpenChange(false));
  return (
    <Radix.Root open={open} onOpenChange={onOpenChange}>
      <Radix.Trigger ref={button} asChild>
        {trigger}
      </Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          align={align}
          sideOffset={6}
          collisionPadding={12}
          aria-label={label}
          className={clsx(
            'float-in z-30 rounded-4 border border-line bg-overlay shadow-pop outline-none',
            className,
          )}
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}
