import type { Query, QueryClient, QueryFilters } from '@tanstack/react-query';

/** Queries that are loaded again once the answer they wait for has come. */
const waiting = new WeakSet<Query>();

/**
 * Reloads visible queries. A query that is loading may have been read before the change, so it is loaded again
 * after its answer. That answer is still shown: during steady traffic a change comes before each answer, and
 * TanStack Query would otherwise cancel all of them.
 */
export function refetchShown(queryClient: QueryClient, filters: QueryFilters): void {
  for (const query of queryClient.getQueryCache().findAll({ ...filters, fetchStatus: 'fetching' })) {
    if (waiting.has(query)) continue;
    waiting.add(query);
    const settled = () => waiting.delete(query);
    const again = () => {
      settled();
      void queryClient.invalidateQueries({ queryKey: query.queryKey, exact: true }, { cancelRefetch: false });
    };
    query.promise?.then(again, settled);
  }
  void queryClient.invalidateQueries(filters, { cancelRefetch: false });
}
