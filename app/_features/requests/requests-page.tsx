'use client';

import { useInfiniteQuery, useQuery, useQueryClient } from '@tanstack/react-query';
import { ArrowLeftRight } from 'lucide-react';
import { useSearchParams } from 'next/navigation';
import { useEffect, useId, useRef, useState } from 'react';
import { Card } from '#app/_components/ui/card.tsx';
import { changeAddress } from '#app/_components/ui/change-address.ts';
import { Segments } from '#app/_components/ui/choice.tsx';
import { CsvLink } from '#app/_components/ui/csv-link.tsx';
import { Empty } from '#app/_components/ui/empty.tsx';
import { Failure } from '#app/_components/ui/failure.tsx';
import { Input } from '#app/_components/ui/input.tsx';
import { lazyPart } from '#app/_components/ui/lazy-part.tsx';
import { MoreFoot } from '#app/_components/ui/more-foot.tsx';
import { Select } from '#app/_components/ui/select.tsx';
import { SkeletonRows } from '#app/_components/ui/skeleton.tsx';
import { TimesIn } from '#app/_components/ui/times-in.tsx';
import { useOpened } from '#app/_components/ui/use-opened.ts';
import { useMe } from '#app/_features/shell/me.tsx';
import { PageHead } from '#app/_features/shell/page.tsx';
import { useNumbers } from '#app/_features/shell/use-numbers.ts';
import { ViewsChip } from '#app/_features/views/views-chip.tsx';
import { useTRPC } from '#app/_trpc/client.ts';
import { useLiveChanges } from '#app/_trpc/live.tsx';
import { refetchShown } from '#app/_trpc/refetch-shown.ts';
import { API_ERROR_CODES } from '#server/core/outcomes.ts';
import { CSV_PATHS } from '#server/dashboard/paths.ts';
import { addressOf, type Filters, filtersOf, inputOf, PERIODS, STATUSES } from './filters.ts';
import { RequestSearch } from './request-search.tsx';
import { RequestTable } from './request-table.tsx';
import { requests as texts } from './words.ts';

const RequestDialog = lazyPart(() => import('./request-dialog.tsx'));

const EVERY = 'every';
const TYPED = ['requestId', 'recipient', 'from', 'to'] as const;

export function RequestsPage() {
  const { shown } = useMe();
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const params = useSearchParams();
  const filters = filtersOf(params);
  // A second change may come before the address shows the first one.
  const latest = useRef(filters);
  useEffect(() => {
    latest.current = filtersOf(params);
  }, [params]);
  const change = (changed: { [Name in keyof Filters]?: Filters[Name] | undefined }) => {
    const typing = TYPED.some((name) => name in changed && latest.current[name] !== undefined);
    latest.current = { ...latest.current, ...changed } as Filters;
    // Without the server, so that the list never shows the rows of the filters before.
    changeAddress(addressOf(latest.current), typing);
  };
  const [opened, open, close] = useOpened('open');
  // A period ends when it was chosen: a moving end would reload the list and lose its older pages.
  const [chosen, setChosen] = useState({ period: filters.period, atMs: Date.now() });
  if (chosen.period !== filters.period) setChosen({ period: filters.period, atMs: Date.now() });
  const input = inputOf(filters, chosen.atMs);
  const query = useInfiniteQuery(
    trpc.requests.list.infiniteQueryOptions(input, {
      getNextPageParam: (page) => page.next,
    }),
  );
  const { data, error, refetch } = query;
  const long = (data?.pages.length ?? 0) > 1;
  const newest = useQuery({
    ...trpc.requests.list.queryOptions(input),
    enabled: long,
  });
  // A long list would reload all its pages, so only its newest page is read, above.
  useLiveChanges(({ newRequests, messages, all }) => {
    const shown = new Set(messages);
    const changed = loaded.some(({ messageId }) => messageId !== null && shown.has(messageId));
    if (!long && (newRequests || changed || all))
      refetchShown(queryClient, { queryKey: trpc.requests.list.infiniteQueryKey(input) });
  });
  const loaded = data?.pages.flatMap((page) => page.rows) ?? [];
  const top = loaded[0]?.id ?? 0;
  const added = long ? (newest.data?.rows.filter(({ id }) => id > top) ?? []) : [];
  // Every row of the newest page is new, so there may be more new rows below it.
  const gap = added.length > 0 && added.length === newest.data?.rows.length;
  useEffect(() => {
    if (gap) void refetch();
  }, [gap, refetch]);
  const rows = gap ? loaded : [...added, ...loaded];
  const narrowed = addressOf(filters) !== '/requests';
  return (
    <>
      <PageHead
        title={texts.title}
        lead={texts.lead}
        actions={<CsvLink path={CSV_PATHS.requests} query={{ ...input, ...shown }} label={texts.csv} />}
      />
      <div className="flex flex-col gap-3">
        <FilterBar filters={filters} change={change} />
        <Failure error={error} retry={refetch} />
        {(data || !error) && (
          <Card>
            {!data && <SkeletonRows rows={8} label={narrowed ? texts.searching : undefined} />}
            {data && rows.length === 0 && (
              <Empty icon={<ArrowLeftRight />} {...(narrowed ? texts.noMatch : texts.empty)} />
            )}
            {rows.length > 0 && <RequestTable rows={rows} onOpen={open} />}
            <MoreFoot query={query} label={texts.more} />
          </Card>
        )}
        {rows.length > 0 && <TimesIn className="text-12 text-ink-3" />}
      </div>
      {opened !== null && <RequestDialog requestId={opened} onClose={close} />}
    </>
  );
}

function FilterBar({
  filters,
  change,
}: {
  filters: Filters;
  change: (changed: { [Name in keyof Filters]?: Filters[Name] | undefined }) => void;
}) {
  const trpc = useTRPC();
  const { data: keys } = useQuery(trpc.keys.list.queryOptions());
  const numbers = useNumbers();
  return (
    <div className="flex flex-wrap items-center gap-2">
      <RequestSearch
        filters={filters}
        // Accepted requests are found by recipient under Messages.
        onChange={(searched) => change({ ...searched, ...(searched.recipient && { refused: true }) })}
      />
      <ViewsChip list="requests" />
      <Segments
        label={texts.view}
        value={filters.unsent ? 'unsent' : filters.refused ? 'refused' : 'all'}
        onChange={(view) => change({ refused: view !== 'all', unsent: view === 'unsent' ? true : undefined })}
        options={[
          { value: 'all', label: texts.all },
          { value: 'refused', label: texts.refused },
          { value: 'unsent', label: texts.unsent },
        ]}
      />
      <Select
        compact
        aria-label={texts.status}
        value={filters.httpStatus ?? EVERY}
        onChange={(status) => change({ httpStatus: STATUSES.find((one) => one === status) })}
        options={[
          { value: EVERY, label: texts.everyStatus },
          ...STATUSES.map((status) => ({ value: status, label: texts.classes[status] ?? status })),
        ]}
      />
      <Select
        compact
        aria-label={texts.code}
        value={filters.errorCode ?? EVERY}
        onChange={(code) => change({ errorCode: API_ERROR_CODES.find((one) => one === code) })}
        options={[
          { value: EVERY, label: texts.everyCode },
          ...API_ERROR_CODES.map((code) => ({ value: code as string, label: code })),
        ]}
      />
      <Select
        compact
        aria-label={texts.key}
        value={filters.keyId ?? EVERY}
        onChange={(keyId) => change({ keyId: keyId === EVERY ? undefined : keyId })}
        options={[
          { value: EVERY, label: texts.everyKey },
          ...(keys ?? []).map(({ id, name, hint }) => ({ value: id, label: name || hint })),
        ]}
      />
      {numbers.length > 1 && (
        <Select
          compact
          aria-label={texts.number}
          value={filters.numberId ?? EVERY}
          onChange={(numberId) => change({ numberId: numberId === EVERY ? undefined : numberId })}
          options={[
            { value: EVERY, label: texts.everyNumber },
            ...numbers.map(({ id, name }) => ({ value: id, label: name })),
          ]}
        />
      )}
      <Select
        compact
        aria-label={texts.period}
        value={filters.period}
        onChange={(period) => change({ period })}
        options={PERIODS.map((period) => ({ value: period, label: texts.periods[period] }))}
      />
      {filters.period === 'range' && (
        <div className="flex flex-wrap gap-2 max-sm:basis-full">
          <TimeField label={texts.from} time={filters.from} onChange={(from) => change({ from })} />
          <TimeField label={texts.to} time={filters.to} onChange={(to) => change({ to })} />
        </div>
      )}
    </div>
  );
}

/** One end of a range; empty is open. */
function TimeField({
  label,
  time,
  onChange,
}: {
  label: string;
  time: string | undefined;
  onChange: (time: string | undefined) => void;
}) {
  const id = useId();
  return (
    <div className="flex items-center gap-2 max-sm:basis-full">
      <label htmlFor={id} className="text-12 text-ink-2 max-sm:w-10">
        {label}
      </label>
      <Input
        id={id}
        type="datetime-local"
        value={time ?? ''}
        onChange={(event) => onChange(event.target.value || undefined)}
        className="h-6! w-auto! text-12! max-md:h-8! max-sm:flex-1"
      />
    </div>
  );
}
