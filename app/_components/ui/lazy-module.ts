import { useCallback, useState } from 'react';

/**
 * Code that a page needs only after a user action, outside the first load. `useParts` returns the loaded code or
 * null, and a function that requests it: call that function when the pointer or the focus approaches.
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
