import { useSyncExternalStore } from 'react';

/** In this tab's memory only: a key is never stored in a browser. */
let held = '';
const listeners = new Set<() => void>();

export function holdKey(key: string): void {
  held = key.trim();
  for (const listener of listeners) listener();
}

/** The key that the samples show and the page's requests use; empty without one. */
export function useHeldKey(): string {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => held,
    () => '',
  );
}

const SANDBOX_KEY = /^wsk_test_\w+$/;
export const isSandboxKey = (key: string): boolean => SANDBOX_KEY.test(key);
