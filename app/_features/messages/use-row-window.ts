import { type RefObject, useLayoutEffect, useState } from 'react';

/** Rows rendered beyond the edges, before they scroll into view. */
const OVERSCAN = 12;
/** Enough for any first screen, until it is measured. */
const FIRST = 40;

/**
 * Which rows of a scrolled list are rendered. All rows have the same height, so none is measured.
 * docs/decisions/0007 says why this uses no library.
 */
export function useRowWindow(params: {
  scroller: RefObject<HTMLElement | null>;
  count: number;
  /** The height of a row, in px. */
  height: number;
  /** The height of the sticky header above the rows, in px. */
  head: number;
  /** Where the list begins, in px. */
  offset: number;
}): { from: number; to: number; scrollTo: (index: number) => void } {
  const { scroller, count, height, head, offset } = params;
  const [range, setRange] = useState({ from: 0, to: FIRST });
  useLayoutEffect(() => {
    if (scroller.current) scroller.current.scrollTop = offset;
  }, [scroller, offset]);
  useLayoutEffect(() => {
    const element = scroller.current;
    if (!element) return;
    const look = () => {
      const first = Math.floor(element.scrollTop / height);
      const seen = Math.ceil(element.clientHeight / height);
      const from = Math.max(0, first - OVERSCAN);
      const to = first + seen + OVERSCAN;
      setRange((now) => (now.from === from && now.to === to ? now : { from, to }));
    };
    look();
    const observer = new ResizeObserver(look);
    observer.observe(element);
    element.addEventListener('scroll', look, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener('scroll', look);
    };
  }, [scroller, height]);
  return {
    from: Math.min(range.from, count),
    to: Math.min(range.to, count),
    scrollTo: (index) => {
      const element = scroller.current;
      if (!element) return;
      const top = index * height;
      const bottom = head + top + height - element.clientHeight;
      if (element.scrollTop > top) element.scrollTop = top;
      else if (element.scrollTop < bottom) element.scrollTop = bottom;
    },
  };
}
