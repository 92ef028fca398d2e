import { type ReactElement, type ReactNode, useId, useRef } from 'react';
import { lazyModule } from './lazy-module.ts';
import { type TriggerProps, withProps } from './trigger.ts';

const useParts = lazyModule(() => import('./popover-panel.tsx'));

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
  trigger: ReactElement<TriggerProps>;
  label: string;
  align?: 'start' | 'end';
  className: string;
  open: boolean;
  onOpenChange: (open: boolean) => void;
  children: ReactNode;
}) {
  const id = useId();
  const anchor = useRef<HTMLButtonElement>(null);
  const [parts, fetchParts] = useParts();
  return (
    <>
      {withProps(trigger, {
        ref: anchor,
        'aria-haspopup': 'dialog',
        'aria-expanded': open,
        ...(open && parts ? { 'aria-controls': id } : {}),
        'data-state': open ? 'open' : 'closed',
        onPointerEnter: fetchParts,
        onFocus: fetchParts,
        onClick: () => {
          fetchParts();
          onOpenChange(!open);
        },
      })}
      {open && parts && (
        <parts.Panel
          anchor={anchor}
          id={id}
          label={label}
          align={align}
          className={className}
          onClose={() => onOpenChange(false)}
        >
          {children}
        </parts.Panel>
      )}
    </>
  );
}
