import * as Radix from 'radix-ui/tooltip';
import {
  cloneElement,
  type HTMLAttributes,
  type ReactElement,
  type ReactNode,
  type Ref,
  type RefObject,
  useEffect,
  useId,
  useImperativeHandle,
  useRef,
  useState,
} from 'react';

const DELAY_MS = 300;
/** A tap lasts at most this long. */
const TAP_MS = 500;

/**
 * Extra text on hover, focus or tap. It must not hold anything that the user needs. Radix joins in when it opens: its
 * own trigger knows no taps, and one in each row would make a list slow.
 */
export function Tooltip({
  text,
  children,
}: {
  text: ReactNode;
  children: ReactElement<HTMLAttributes<HTMLElement> & { ref?: Ref<HTMLElement> }>;
}) {
  const id = useId();
  const anchor = useRef<HTMLElement>(null);
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  // Not the state: the label closes itself on a tap anywhere, perhaps before the anchor gets the same tap.
  const shown = useRef(false);
  const closedAtMs = useRef(Number.NEGATIVE_INFINITY);
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
        'aria-describedby': open ? id : undefined,
        onPointerEnter: (event) => {
          if (event.pointerType === 'touch') return;
          clearTimeout(timer.current);
          timer.current = setTimeout(show, DELAY_MS);
        },
        // It closes automatically, except while the pointer moves to it.
        onPointerLeave: (event) => {
          if (event.pointerType !== 'touch') clearTimeout(timer.current);
        },
        onPointerDown: close,
        onPointerUp: (event) => {
          // A tap on a link or a button has its own effect. A second tap closes the text.
          if (event.pointerType !== 'touch' || performance.now() - closedAtMs.current < TAP_MS) return;
          if (!event.currentTarget.closest('a, button')) show();
        },
        onFocus: (event) => {
          if (event.currentTarget.matches(':focus-visible')) show();
        },
        onBlur: close,
      })}
      {open && (
        <Radix.Provider>
          <Radix.Root open onOpenChange={(open) => open || close()}>
            <Radix.Trigger asChild>
              <At element={anchor} />
            </Radix.Trigger>
            <Radix.Portal>
              <Radix.Content
                id={id}
                sideOffset={6}
                collisionPadding={8}
                className="float-in z-[70] max-w-[260px] rounded-2 border border-line bg-overlay px-2 py-1 text-12 tabular-nums shadow-pop"
              >
                {text}
              </Radix.Content>
            </Radix.Portal>
          </Radix.Root>
        </Radix.Provider>
      )}
    </>
  );
}

/** An element that is on the page already, in the place of Radix's trigger. */
function At({ element, ref }: { element: RefObject<HTMLElement | null>; ref?: Ref<HTMLElement> }) {
  useImperativeHandle(ref, () => element.current as HTMLElement, [element]);
  return null;
}
