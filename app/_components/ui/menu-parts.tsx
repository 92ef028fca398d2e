import clsx from 'clsx';
import * as Radix from 'radix-ui/dropdown-menu';
import { type ComponentProps, type ReactNode, type RefObject, useEffect, useRef } from 'react';
import { VirtualAnchor } from './virtual-anchor.tsx';

export function Panel({
  anchor,
  id,
  align,
  side,
  byKeyboard,
  onClose,
  children,
}: {
  anchor: RefObject<HTMLElement | null>;
  id: string;
  align: 'start' | 'end';
  side: 'top' | 'bottom';
  /** Opened by a key: the first action gets the focus. */
  byKeyboard: boolean;
  onClose: () => void;
  children: ReactNode;
}) {
  const list = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (byKeyboard) list.current?.querySelector<HTMLElement>('[role^=menuitem]')?.focus();
  }, [byKeyboard]);
  return (
    <Radix.Root open modal={false} onOpenChange={(open) => !open && onClose()}>
      <Radix.Trigger asChild>
        <VirtualAnchor anchor={anchor} panel={list} onGone={onClose} />
      </Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          ref={list}
          id={id}
          aria-labelledby={`${id}-trigger`}
          align={align}
          side={side}
          sideOffset={6}
          collisionPadding={12}
          onInteractOutside={(event) => {
            // The click of the menu's own button closes the menu.
            if (event.target instanceof Node && anchor.current?.contains(event.target))
              event.preventDefault();
          }}
          className="float-in z-30 max-h-[var(--radix-dropdown-menu-content-available-height)] min-w-[200px] max-w-[300px] overflow-y-auto rounded-4 border border-line bg-overlay p-1 shadow-pop outline-none"
        >
          {children}
        </Radix.Content>
      </Radix.Portal>
    </Radix.Root>
  );
}

const ITEM =
  'flex min-h-8 cursor-pointer select-none items-center gap-2.5 rounded-2 px-2 py-1 text-13 outline-none data-[highlighted]:bg-active data-[disabled]:cursor-not-allowed data-[disabled]:text-ink-off max-md:min-h-11 [&_svg:not(.status-icon)]:size-4 [&_svg:not(.status-icon)]:shrink-0 [&_svg:not(.status-icon)]:text-ink-3';

export type ItemProps = ComponentProps<typeof Radix.Item> & { danger?: boolean };

export function Item({ danger = false, className, ...props }: ItemProps) {
  return (
    <Radix.Item
      {...props}
      className={clsx(ITEM, danger && 'text-fail-fg [&_svg:not(.status-icon)]:text-fail-fg', className)}
    />
  );
}

export function Label({ children }: { children: ReactNode }) {
  return <Radix.Label className="px-2 pt-1.5 pb-1 text-11 font-medium text-ink-3">{children}</Radix.Label>;
}

export function Line() {
  return <Radix.Separator className="-mx-1 my-1 h-px bg-line-soft" />;
}
