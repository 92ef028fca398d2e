import type { QueryClient, QueryFilters } from '@tanstack/react-query';

/**
 * Reloads visible queries. A query that is loading for the first time may have been read before the change, so
 * it is loaded again after its answer, which TanStack Query would otherwise keep.
 */
export function refetchShown(queryClient: QueryClient, filters: QueryFilters): void {
  for (const query of queryClient.getQueryCache().findAll({ ...filters, fetchStatus: 'fetching' })) {
    if (query.state.data !== undefined) continue;
    const again = () => queryClient.invalidateQueries({ queryKey: query.queryKey, exact: true });
    query.promise?.then(again, () => {});
  }
  void queryClient.invalidateQueries(filters);
}
