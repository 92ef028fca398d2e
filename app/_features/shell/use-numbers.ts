'use client';

import { useQuery } from '@tanstack/react-query';
import { useTRPC } from '#app/_trpc/client.ts';
import { useMe } from './me.tsx';

/** Beneath the stream of news a slow look: a lease that falls silent tells nobody. */
const LOOK_MS = 5_000;

/** The account's numbers as they are now, from the first byte on. */
export function useNumbers() {
  const trpc = useTRPC();
  const { numbers } = useMe();
  const query = useQuery(
    trpc.numbers.list.queryOptions(undefined, { initialData: numbers, refetchInterval: LOOK_MS }),
  );
  return query.data;
}
