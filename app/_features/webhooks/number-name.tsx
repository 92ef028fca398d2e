import { useNumbers } from '#app/_features/shell/use-numbers.ts';
import { webhooks } from './words.ts';

/** The number of an endpoint, or that it gets the events of all of them. */
export function NumberName({ numberId }: { numberId: string | null }) {
  const numbers = useNumbers();
  if (numberId === null) return webhooks.every;
  return numbers.find(({ id }) => id === numberId)?.name ?? webhooks.removedNumber;
}
