import { useQueryClient } from '@tanstack/react-query';
import { useTRPC } from '#app/_trpc/client.ts';
import { markSentAgain } from './mark-sent-again.ts';
import type { Pages } from './merge-rows.ts';
import type { MessageRow } from './use-messages.ts';

/** Marks a message as sent again in all loaded lists. */
export function useMarkSentAgain(): (repeat: Parameters<typeof markSentAgain>[1]) => void {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  return (repeat) => {
    queryClient.setQueriesData<Pages<MessageRow>>(
      { queryKey: trpc.messages.list.infiniteQueryKey() },
      (list) => list && markSentAgain(list, repeat),
    );
  };
}
