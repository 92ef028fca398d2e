import { useStored } from '#app/_components/ui/use-stored.ts';
import { useMe } from '#app/_features/shell/me.tsx';

/** Words that this browser remembers for the account, under a name. */
export function useStoredSet(name: string): { has(word: string): boolean; add(word: string): void } {
  const { account } = useMe();
  const [stored, store] = useStored(`${name}.${account.accountId}`);
  const words = stored.split(' ');
  return {
    has: (word) => words.includes(word),
    add: (word) => store([...words, word].join(' ').trim()),
  };
}
