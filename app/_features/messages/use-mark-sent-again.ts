import { useQueryClient } from '@tanstack/react-query';
import { useTRPC } from '#app/_trpc/client.ts';
import { isAccepted } from '#server/core/message-state.ts';
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

type List = Pages<Pick<MessageRow, 'id' | 'seq' | 'status' | 'sentAgainAs'>>;

/**
 * A loaded list after a message that was not sent, or may not have been, was sent again. The live changes name only
 * the new message.
 */
export function markSentAgain<L extends List>(list: L, { id, as }: { id: string; as: string }): L {
  const pages = list.pages.map((page) => ({
    ...page,
    rows: page.rows.map((row) =>
      row.id === id && !isAccepted(row.status) ? { ...row, sentAgainAs: as } : row,
    ),
  }));
  return { ...list, pages };
}
