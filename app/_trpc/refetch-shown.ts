import type { QueryClient, QueryFilters } from '@tanstack/react-query';

/**
 * Asks again for what is shown. What is just being asked for the first time may have been read before the change: it is
 * asked once more when its answer is there, which TanStack Query would keep as it is.
 */
export function refetchShown(queryClient: QueryClient, filters: QueryFilters): void {
  for (const query of queryClient.getQueryCache().findAll({ ...filters, fetchStatus: 'fetching' })) {
    if (query.state.data !== undefined) continue;
    const again = () => queryClient.invalidateQueries({ queryKey: query.queryKey, exact: true });
    query.promise?.then(again, () => {});
  }
  void queryClient.invalidateQueries(filters);
}
