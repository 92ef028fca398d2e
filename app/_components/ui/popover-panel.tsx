import clsx from 'clsx';
import * as Radix from 'radix-ui/popover';
import { type ReactNode, type RefObject, useRef } from 'react';
import { VirtualAnchor } from './virtual-anchor.tsx';

export function Panel({
  anchor,
  id,
  label,
  align,
  className,
  onClose,
  children,
}: {
  anchor: RefObject<HTMLElement | null>;
  id: string;
  label: string;
  align: 'start' | 'end';
  className: string;
  onClose: () => void;
  children: ReactNode;
}) {
  const panel = useRef<HTMLDivElement>(null);
  return (
    <Radix.Root open onOpenChange={(open) => !open && onClose()}>
      <Radix.Trigger asChild>
        <VirtualAnchor anchor={anchor} panel={panel} onGone={onClose} />
      </Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          ref={panel}
          id={id}
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
