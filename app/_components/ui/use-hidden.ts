import { type RefObject, useEffect, useEffectEvent } from 'react';

/** Calls `onHidden` when another width of the window hides the element, for example an open menu's button. */
export function useHidden(element: RefObject<HTMLElement | null>, onHidden: () => void): void {
  const resized = useEffectEvent(() => {
    if (!element.current?.checkVisibility()) onHidden();
  });
  useEffect(() => {
    window.addEventListener('resize', resized);
    return () => window.removeEventListener('resize', resized);
  }, []);
}
