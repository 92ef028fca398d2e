import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query';
import { useEffect, useMemo, useRef, useState } from 'react';
import { type Outputs, useTRPC, useTRPCClient } from '#app/_trpc/client.ts';
import { type LiveChanges, useLiveChanges } from '#app/_trpc/live.tsx';
import type { MessageStatus } from '#server/core/message-state.ts';
import { type Filters, inputOf } from './filters.ts';
import { mergeNewest, mergeRows } from './merge-rows.ts';

export type MessageRow = Outputs['messages']['list']['rows'][number];

/** As many as the server reports at once. */
const IDS_MAX = 200;
/** Changes missed below this many rows show only when the page is opened again. */
const CATCH_UP_MAX = 1000;
const LAST: readonly MessageStatus[] = ['read', 'failed', 'expired', 'cancelled'];

function useList(filters: Filters) {
  const trpc = useTRPC();
  return trpc.messages.list.infiniteQueryOptions(inputOf(filters), {
    getNextPageParam: (page) => page.next,
    staleTime: Number.POSITIVE_INFINITY,
    // Comparing thousands of rows with each new page costs more than drawing the forty visible ones.
    structuralSharing: false,
  });
}

/** The loaded messages, and a way to load more. */
export function useMessages(filters: Filters) {
  const query = useInfiniteQuery(useList(filters));
  const rows = useMemo(() => query.data?.pages.flatMap((page) => page.rows) ?? [], [query.data]);
  const { hasNextPage, isFetching, isError, fetchNextPage } = query;
  // A page without matches is not the end: older messages are looked through, page by page.
  const looksOn = rows.length === 0 && hasNextPage && !isFetching && !isError;
  useEffect(() => {
    if (looksOn) void fetchNextPage();
  }, [looksOn, fetchNextPage]);
  const lookedBackTo = hasNextPage ? query.data?.pages.at(-1)?.lookedBackTo : undefined;
  return { ...query, rows, lookedBackTo };
}

/**
 * Keeps the visible list current: it requests only changed rows, so that a list of many thousand rows costs no
 * more than one of fifty.
 */
export function useFollowing(filters: Filters): void {
  const client = useTRPCClient();
  const queryClient = useQueryClient();
  const { queryKey } = useList(filters);
  const input = inputOf(filters);
  const read = () => queryClient.getQueryData(queryKey);

  const ask = async (asked: string[]) => {
    for (let from = 0; from < asked.length; from += IDS_MAX) {
      const ids = asked.slice(from, from + IDS_MAX);
      const { rows } = await client.messages.list.query({ ...input, ids });
      queryClient.setQueryData(queryKey, (list) => list && mergeRows(list, ids, rows));
    }
  };
  /** After a break the changes are unknown: requests the newest page, and all rows that can still change. */
  const catchUp = async () => {
    if (!read()) return;
    const newest = await client.messages.list.query(input);
    queryClient.setQueryData(queryKey, (list) => list && mergeNewest(list, newest));
    const shown = new Set(newest.rows.map((row) => row.id));
    const rows = read()?.pages.flatMap((page) => page.rows) ?? [];
    const open = rows
      .filter((row) => !shown.has(row.id) && !LAST.includes(row.status))
      .slice(0, CATCH_UP_MAX);
    await ask(open.map((row) => row.id));
  };
  const latest = useRef({ catchUp, ask });
  latest.current = { catchUp, ask };
  const [follow] = useState(() =>
    gather(({ messages, all }) => (all ? latest.current.catchUp() : latest.current.ask(messages))),
  );
  useLiveChanges((changes) => {
    if (changes.all || changes.messages.length > 0) follow(changes);
  });

  // A list that is opened again has missed changes.
  const key = JSON.stringify(queryKey);
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each opened list
  useEffect(() => follow({ messages: [], all: true }), [key]);
}

type Gathered = Pick<LiveChanges, 'messages' | 'all'>;

/**
 * Calls `load` with the changes gathered since its last call, one call at a time, so that an older answer never
 * replaces a newer one. A failed call is not repeated: the stream then begins again and reports `all`.
 */
export function gather(load: (changes: Gathered) => Promise<void>): (changes: Gathered) => void {
  let waiting: Gathered | null = null;
  let running = false;
  const run = async () => {
    running = true;
    while (waiting) {
      const changes = waiting;
      waiting = null;
      await load(changes).catch(() => {});
    }
    running = false;
  };
  return ({ messages, all }) => {
    waiting = {
      messages: [...new Set([...(waiting?.messages ?? []), ...messages])],
      all: all || (waiting?.all ?? false),
    };
    if (!running) void run();
  };
}
