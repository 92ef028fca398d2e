import { useQuery } from '@tanstack/react-query';
import { useTRPC } from '#app/_trpc/client.ts';
import { useMe } from './me.tsx';

/** Polled slowly in addition to the stream: a lease that runs out sends no notification. */
const LOOK_MS = 5_000;

/** The account's numbers, known from the first render and kept current. */
export function useNumbers() {
  const trpc = useTRPC();
  const { numbers } = useMe();
  const query = useQuery(
    trpc.numbers.list.queryOptions(undefined, { initialData: numbers, refetchInterval: LOOK_MS }),
  );
  return query.data;
}
