import { type InvalidateQueryFilters, useQueryClient } from '@tanstack/react-query';
import { useToast } from '#app/_components/ui/toast.tsx';
import { sentenceOf } from './provider.tsx';

/** What follows an action: a toast that says how it ended, and fresh data. */
export function useFeedback() {
  const toast = useToast();
  const queryClient = useQueryClient();
  return {
    done: (title: string, text?: string) => toast({ tone: 'ok', title, ...(text ? { text } : {}) }),
    failed: (error: unknown) => toast({ tone: 'fail', title: sentenceOf(error) }),
    /** Reloads the queries that match, or all. */
    refresh: (filters?: InvalidateQueryFilters) => queryClient.invalidateQueries(filters),
  };
}
