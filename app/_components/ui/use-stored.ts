import { useSyncExternalStore } from 'react';

const listeners = new Set<() => void>();

/** A text that this browser remembers under a key; empty at first. */
export function useStored(key: string): [string, (text: string) => void] {
  const stored = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => localStorage.getItem(key) ?? '',
    () => '',
  );
  const store = (text: string) => {
    localStorage.setItem(key, text);
    for (const listener of listeners) listener();
  };
  return [stored, store];
}
