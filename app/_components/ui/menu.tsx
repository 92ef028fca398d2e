import clsx from 'clsx';
import * as Radix from 'radix-ui/dropdown-menu';
import { type ComponentProps, type ReactElement, type ReactNode, useRef, useState } from 'react';
import { useHidden } from './use-hidden.ts';

/** A list of actions behind a button. */
export function Menu({
  trigger,
  children,
  align = 'end',
  side = 'bottom',
}: {
  trigger: ReactElement;
  children: ReactNode;
  align?: 'start' | 'end';
  side?: 'top' | 'bottom';
}) {
  const [open, setOpen] = useState(false);
  const button = useRef<HTMLButtonElement>(null);
  useHidden(button, () => setOpen(false));
  return (
    <Radix.Root open={open} onOpenChange={setOpen} modal={false}>
      {/* A click opens it instead of Radix's press: a finger on the button may be scrolling the page. */}
      <Radix.Trigger
        ref={button}
        asChild
        onPointerDown={(event) => event.preventDefault()}
        onClick={() => setOpen(!open)}
      >
        {trigger}
      </Radix.Trigger>
      <Radix.Portal>
        <Radix.Content
          align={align}
          side={side}
          sideOffset={6}
          collisionPadding={12}
          onInteractOutside={(event) => {
            // The click of the menu's own button closes the menu.
            if (event.target instanceof Node && button.current?.contains(event.target))
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

export function MenuItem({
  danger = false,
  className,
  ...props
}: ComponentProps<typeof Radix.Item> & { danger?: boolean }) {
  return (
    <Radix.Item
      {...props}
      className={clsx(ITEM, danger && 'text-fail-fg [&_svg:not(.status-icon)]:text-fail-fg', className)}
    />
  );
}

export function MenuLabel({ children }: { children: ReactNode }) {
  return <Radix.Label className="px-2 pt-1.5 pb-1 text-11 font-medium text-ink-3">{children}</Radix.Label>;
}

export function MenuLine() {
  return <Radix.Separator className="-mx-1 my-1 h-px bg-line-soft" />;
}
