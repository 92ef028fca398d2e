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
/** A tap lasts at most this long. */
const TAP_MS = 500;

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
  // Not the state: the label closes itself on a tap anywhere, perhaps before the anchor gets the same tap.
  const shown = useRef(false);
  const closedAtMs = useRef(Number.NEGATIVE_INFINITY);
  const [parts, fetchParts] = useParts();
  const [open, setOpen] = useState(false);
  useEffect(() => () => clearTimeout(timer.current), []);
  const show = () => {
    shown.current = true;
    setOpen(true);
  };
  const close = () => {
    clearTimeout(timer.current);
    if (shown.current) closedAtMs.current = performance.now();
    shown.current = false;
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
          timer.current = setTimeout(show, DELAY_MS);
        },
        onPointerLeave: (event) => {
          // A finger also leaves when it is lifted.
          if (event.pointerType === 'touch') return;
          clearTimeout(timer.current);
          // It closes automatically, except while the pointer moves to it.
          if (!parts) close();
        },
        onPointerDown: close,
        onPointerUp: (event) => {
          // A tap on a link or a button has its own effect. A second tap closes the text.
          if (event.pointerType !== 'touch' || performance.now() - closedAtMs.current < TAP_MS) return;
          if (event.currentTarget.closest('a, button')) return;
          fetchParts();
          show();
        },
        onFocus: (event) => {
          if (!event.currentTarget.matches(':focus-visible')) return;
          fetchParts();
          show();
        },
        onBlur: close,
      })}
      {open && parts && <parts.Label anchor={anchor} text={text} onClose={close} />}
    </>
  );
}
