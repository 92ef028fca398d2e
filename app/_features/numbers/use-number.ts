import { useMutation, useQuery } from '@tanstack/react-query';
import { useNumbers } from '#app/_features/shell/use-numbers.ts';
import { useTRPC } from '#app/_trpc/client.ts';
import { useFeedback } from '#app/_trpc/use-feedback.ts';
import type { NumberItem } from './number-sentence.ts';

/** A number of the account, from the list that every page has; undefined if there is none. */
export function useNumber(numberId: string): NumberItem | undefined {
  return useNumbers().find((number) => number.id === numberId);
}

/** The valid keys of a number. */
export function useKeysOf(numberId: string) {
  const trpc = useTRPC();
  const query = useQuery(trpc.keys.list.queryOptions());
  const works = ({ revokedAt, expiresAt }: { revokedAt: string | null; expiresAt: string | null }) =>
    !revokedAt && !(expiresAt && Date.parse(expiresAt) <= Date.now());
  return { ...query, keys: query.data?.filter((key) => key.numberId === numberId && works(key)) };
}

/** The actions of a number; each refreshes the page's data. */
export function useNumberActions() {
  const trpc = useTRPC();
  const { failed, refresh } = useFeedback();
  const done = () => refresh(trpc.numbers.pathFilter());
  const loud = { onSuccess: done, onError: failed };
  return {
    hold: useMutation(trpc.numbers.hold.mutationOptions(loud)),
    release: useMutation(trpc.numbers.release.mutationOptions(loud)),
    decideWaited: useMutation(trpc.numbers.decideWaited.mutationOptions(loud)),
    takeOverSession: useMutation(trpc.numbers.takeOverSession.mutationOptions(loud)),
    startTrial: useMutation(trpc.numbers.startTrial.mutationOptions(loud)),
    keepPhone: useMutation(trpc.numbers.keepPhone.mutationOptions(loud)),
    cancelLinking: useMutation(trpc.numbers.cancelLinking.mutationOptions(loud)),
    // Actions with a confirmation show their errors there.
    unlink: useMutation(trpc.numbers.unlink.mutationOptions({ onSuccess: done })),
    remove: useMutation(trpc.numbers.remove.mutationOptions({ onSuccess: done })),
    setLabel: useMutation(trpc.numbers.setLabel.mutationOptions({ onSuccess: done })),
    openLinking: useMutation(trpc.numbers.openLinking.mutationOptions({ onSuccess: done })),
  };
}

/** Cancels waiting messages of a number; `loud` shows a failure as a toast. */
export function useCancelWaiting(loud = true) {
  const trpc = useTRPC();
  const { failed, refresh } = useFeedback();
  return useMutation(
    trpc.numbers.cancelWaiting.mutationOptions({
      onSuccess: () => refresh(trpc.numbers.pathFilter()),
      ...(loud ? { onError: failed } : {}),
    }),
  );
}
