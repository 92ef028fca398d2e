'use client';

import { useCallback, useState } from 'react';

/**
 * Code that a page needs only after a user action, and that is not part of the first load. `useParts` returns
 * it once loaded, and the function that requests it: call that when the pointer or the focus approaches.
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
        // After a network failure the next attempt requests it again.
        () => undefined,
      );
    }, []);
    return [parts, fetchParts];
  };
}
