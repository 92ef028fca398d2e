'use client';

import { type Ref, type RefObject, useEffect, useEffectEvent, useImperativeHandle } from 'react';

/**
 * Stands where Radix wants its trigger, and hands it the button that is on the page already. What floats over
 * a page can so arrive after it, without the button being made again and losing its focus.
 */
export function VirtualAnchor({
  anchor,
  onGone,
  ref,
  'aria-describedby': about,
}: {
  anchor: RefObject<HTMLElement | null>;
  /** The button is not shown any more, because the window is narrower or wider now. */
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
  const resized = useEffectEvent(() => {
    if (!anchor.current?.checkVisibility()) onGone?.();
  });
  useEffect(() => {
    window.addEventListener('resize', resized);
    return () => window.removeEventListener('resize', resized);
  }, []);
  return null;
}
