import {
  type Ref,
  type RefObject,
  useEffect,
  useEffectEvent,
  useImperativeHandle,
  useLayoutEffect,
} from 'react';

/**
 * Replaces Radix's trigger with a button that is already on the page. So an overlay can load after the page
 * without recreating the button, which would lose its focus.
 */
export function VirtualAnchor({
  anchor,
  panel,
  onGone,
  ref,
  'aria-describedby': about,
}: {
  anchor: RefObject<HTMLElement | null>;
  /** What opens at the button; if the focus is in it when it closes, the button gets the focus. */
  panel?: RefObject<HTMLElement | null>;
  /** The button is hidden, because the window's width has changed. */
  onGone?: () => void;
  ref?: Ref<HTMLElement>;
  'aria-describedby'?: string;
}) {
  useImperativeHandle(ref, () => anchor.current as HTMLElement, [anchor]);
  useEffect(() => {
    const element = anchor.current;
    if (!element || about === undefined) return;
    element.setAttribute('aria-describedby', about);
    return () => element.removeAttribute('aria-describedby');
  }, [anchor, about]);
  // Radix would do this in a timer: too late for it to find the button, and for a dialog to remember the button.
  useLayoutEffect(
    () => () => {
      if (panel?.current?.contains(document.activeElement)) anchor.current?.focus();
    },
    [anchor, panel],
  );
  const resized = useEffectEvent(() => {
    if (!anchor.current?.checkVisibility()) onGone?.();
  });
  useEffect(() => {
    window.addEventListener('resize', resized);
    return () => window.removeEventListener('resize', resized);
  }, []);
  return null;
}
