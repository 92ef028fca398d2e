'use client';

import { useCallback, useState } from 'react';

/**
 * Code that a page needs only once somebody acts, and that is not sent with the page. `useParts` gives it when
 * it has come, and what asks for it: call that on the way to the action (pointer over, focus), so that it is
 * there by the time of the action.
 */
export function lazyModule<Parts extends object>(load: () => Promise<Parts>) {
  let loaded: Parts | null = null;
  return function useParts(): [Parts | null, () => void] {
    const [parts, setParts] = useState<Parts | null>(loaded);
    const fetchParts = useCallback(() => {
      if (loaded) return setParts(loaded);
      load().then(
        (came) => {
          loaded = came;
          setParts(came);
        },
        // The network failed: the next touch asks again.
        () => undefined,
      );
    }, []);
    return [parts, fetchParts];
  };
}
