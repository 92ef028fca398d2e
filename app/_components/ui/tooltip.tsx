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

/** Extra text on hover or focus. It must not hold anything that the user needs. */
export function Tooltip({
  text,
  children,
}: {
  text: ReactNode;
  children: ReactElement<HTMLAttributes<HTMLElement> & { ref?: Ref<HTMLElement> }>;
}) {
  const anchor = useRef<HTMLElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
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
        onPointerLeave: () => {
          clearTimeout(timer.current);
          // It closes automatically, except while the pointer moves to it.
          if (!parts) setOpen(false);
        },
        onPointerDown: close,
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
