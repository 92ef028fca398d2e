'use client';

import { type Ref, type RefObject, useEffect, useEffectEvent, useImperativeHandle } from 'react';

/**
 * Replaces Radix's trigger with a button that is already on the page. So an overlay can load after the page
 * without recreating the button, which would lose its focus.
 */
export function VirtualAnchor({
  anchor,
  onGone,
  ref,
  'aria-describedby': about,
}: {
  anchor: RefObject<HTMLElement | null>;
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
  const resized = useEffectEvent(() => {
    if (!anchor.current?.checkVisibility()) onGone?.();
  });
  useEffect(() => {
    window.addEventListener('resize', resized);
    return () => window.removeEventListener('resize', resized);
  }, []);
  return null;
}
