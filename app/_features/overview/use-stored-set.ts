import { useSyncExternalStore } from 'react';
import { useMe } from '#app/_features/shell/me.tsx';

const listeners = new Set<() => void>();

/** Words that this browser remembers for the account, under a name. */
export function useStoredSet(name: string): { has(word: string): boolean; add(word: string): void } {
  const { account } = useMe();
  const key = `${name}.${account.accountId}`;
  const stored = useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => localStorage.getItem(key) ?? '',
    () => '',
  );
  const words = stored.split(' ');
  return {
    has: (word) => words.includes(word),
    add: (word) => {
      localStorage.setItem(key, [...words, word].join(' ').trim());
      for (const listener of listeners) listener();
    },
  };
}
