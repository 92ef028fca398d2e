'use client';

import { useRouter, useSearchParams } from 'next/navigation';
import { useCallback, useMemo } from 'react';
import { MESSAGE_TYPES, type MessageType } from '#server/core/message.ts';
import { MESSAGE_STATUSES, type MessageStatus } from '#server/core/message-state.ts';

/** The filters of the list; kept in the address, so that it can be shared. */
export interface Filters {
  search?: string;
  status?: MessageStatus;
  numberId?: string;
  type?: MessageType;
  /** `YYYY-MM-DD` in the viewer's zone. */
  day?: string;
}

const NAMES = { search: 'q', status: 'status', numberId: 'number', type: 'kind', day: 'day' } as const;

/** The filters for the server: a day begins and ends with the viewer's midnight, however long it is. */
export function inputOf({ day, ...filters }: Filters) {
  if (!day) return filters;
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  return {
    ...filters,
    since: new Date(year, month - 1, date).toISOString(),
    until: new Date(year, month - 1, date + 1).toISOString(),
  };
}

/** A day as the address contains it, in the viewer's zone. */
export function dayName(at: Date): string {
  const two = (value: number) => String(value).padStart(2, '0');
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
}

export function useFilters(): [
  Filters,
  (change: { [K in keyof Filters]?: Filters[K] | undefined }) => void,
  string,
] {
  const params = useSearchParams();
  const router = useRouter();
  const filters = useMemo<Filters>(() => {
    const search = params.get(NAMES.search);
    const status = MESSAGE_STATUSES.find((one) => one === params.get(NAMES.status));
    const type = MESSAGE_TYPES.find((one) => one === params.get(NAMES.type));
    const numberId = params.get(NAMES.numberId);
    const day = params.get(NAMES.day);
    return {
      ...(day && /^\d{4}-\d\d-\d\d$/.test(day) && !Number.isNaN(Date.parse(day)) ? { day } : {}),
      ...(search ? { search } : {}),
      ...(status ? { status } : {}),
      ...(type ? { type } : {}),
      ...(numberId ? { numberId } : {}),
    };
  }, [params]);
  const change = useCallback(
    (change: { [K in keyof Filters]?: Filters[K] | undefined }) => {
      const next = new URLSearchParams(params);
      for (const [name, value] of Object.entries(change)) {
        const key = NAMES[name as keyof Filters];
        if (value) next.set(key, value);
        else next.delete(key);
      }
      const query = next.toString();
      router.replace(query ? `?${query}` : '?', { scroll: false });
    },
    [params, router],
  );
  const query = params.toString();
  return [filters, change, query ? `?${query}` : ''];
}
