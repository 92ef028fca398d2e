import { useSearchParams } from 'next/navigation';
import { useCallback, useMemo } from 'react';
import { changeAddress } from '#app/_components/ui/change-address.ts';
import { VIEW } from '#app/_features/views/view-param.ts';
import { FILTER_NAMES, type Filters, filtersOf } from './filters.ts';

type Change = { [K in keyof Filters]?: Filters[K] | undefined };

/** The filters in the address, a function that changes them, and the query with its question mark. */
export function useFilters(): [Filters, (change: Change) => void, string] {
  const params = useSearchParams();
  const filters = useMemo(() => filtersOf(params), [params]);
  const change = useCallback(
    (change: Change) => {
      const next = new URLSearchParams(params);
      for (const [name, value] of Object.entries(change)) {
        const key = FILTER_NAMES[name as keyof Filters];
        if (value) next.set(key, value);
        else next.delete(key);
      }
      // Other filters are no longer the saved view.
      next.delete(VIEW);
      const query = next.toString();
      // Without the server, so that the list never shows the rows of the filters before.
      const typing = 'search' in change && params.has(FILTER_NAMES.search);
      changeAddress(query ? `?${query}` : location.pathname, typing);
    },
    [params],
  );
  const query = params.toString();
  return [filters, change, query ? `?${query}` : ''];
}
