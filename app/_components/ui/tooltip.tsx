'use client';

import {
  cloneElement,
  type HTMLAttributes,
  type ReactElement,
  type ReactNode,
  type Ref,
  useEffect,
  useRef,
  useState,
} from 'react';
import { lazyModule } from './lazy-module.ts';

const useParts = lazyModule(() => import('./tooltip-label.tsx'));
const DELAY_MS = 300;

/** Extra text on hover, focus or tap. It must not hold anything that the user needs. */
export function Tooltip({
  text,
  children,
}: {
  text: ReactNode;
  children: ReactElement<HTMLAttributes<HTMLElement> & { ref?: Ref<HTMLElement> }>;
}) {
  const anchor = useRef<HTMLElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const wasOpen = useRef(false);
  const [parts, fetchParts] = useParts();
  const [open, setOpen] = useState(false);
  useEffect(() => () => clearTimeout(timer.current), []);
  const close = () => {
    clearTimeout(timer.current);
    setOpen(false);
  };
  return (
    <>
      {cloneElement(children, {
        ref: anchor,
        onPointerEnter: (event) => {
          if (event.pointerType === 'touch') return;
          fetchParts();
          clearTimeout(timer.current);
          timer.current = setTimeout(() => setOpen(true), DELAY_MS);
        },
        onPointerLeave: (event) => {
          // A finger also leaves when it is lifted.
          if (event.pointerType === 'touch') return;
          clearTimeout(timer.current);
          // It closes automatically, except while the pointer moves to it.
          if (!parts) setOpen(false);
        },
        onPointerDown: () => {
          wasOpen.current = open;
          close();
        },
        onPointerUp: (event) => {
          // A tap on a link or a button has its own effect. A second tap closes the text.
          if (event.pointerType !== 'touch' || wasOpen.current) return;
          if (event.currentTarget.closest('a, button')) return;
          fetchParts();
          setOpen(true);
        },
        onFocus: (event) => {
          if (!event.currentTarget.matches(':focus-visible')) return;
          fetchParts();
          setOpen(true);
        },
        onBlur: close,
      })}
      {open && parts && <parts.Label anchor={anchor} text={text} onClose={close} />}
    </>
  );
}
