import { createContext, type ReactElement, type ReactNode, useContext, useId, useRef, useState } from 'react';
import { lazyModule } from './lazy-module.ts';
import type { ItemProps } from './menu-parts.tsx';
import { type TriggerProps, withProps } from './trigger.ts';

const useParts = lazyModule(() => import('./menu-parts.tsx'));
const Context = createContext<ReturnType<typeof useParts>[0]>(null);

/** A list of actions behind a button. It opens once it has children. */
export function Menu({
  trigger,
  children,
  align = 'end',
  side = 'bottom',
}: {
  trigger: ReactElement<TriggerProps>;
  children: ReactNode;
  align?: 'start' | 'end';
  side?: 'top' | 'bottom';
}) {
  const id = useId();
  const anchor = useRef<HTMLButtonElement>(null);
  const [parts, fetchParts] = useParts();
  const [opened, setOpened] = useState<'by key' | 'by pointer' | null>(null);
  const open = (by: typeof opened) => {
    fetchParts();
    setOpened(by);
  };
  return (
    <>
      {withProps(trigger, {
        ref: anchor,
        id: `${id}-trigger`,
        'aria-haspopup': 'menu',
        'aria-expanded': opened !== null,
        ...(opened && parts ? { 'aria-controls': id } : {}),
        'data-state': opened ? 'open' : 'closed',
        onPointerEnter: fetchParts,
        onFocus: fetchParts,
        // A click without coordinates comes from the keyboard.
        onClick: (event) => (opened ? setOpened(null) : open(event.detail === 0 ? 'by key' : 'by pointer')),
        onKeyDown: (event) => {
          if (event.key !== 'ArrowDown' || opened) return;
          event.preventDefault();
          open('by key');
        },
      })}
      {opened && parts && children && (
        <Context value={parts}>
          <parts.Panel
            anchor={anchor}
            id={id}
            align={align}
            side={side}
            byKeyboard={opened === 'by key'}
            onClose={() => setOpened(null)}
          >
            {children}
          </parts.Panel>
        </Context>
      )}
    </>
  );
}

export function MenuItem(props: ItemProps) {
  const parts = useContext(Context);
  return parts && <parts.Item {...props} />;
}

export function MenuLabel({ children }: { children: ReactNode }) {
  const parts = useContext(Context);
  return parts && <parts.Label>{children}</parts.Label>;
}

export function MenuLine() {
  const parts = useContext(Context);
  return parts && <parts.Line />;
}
