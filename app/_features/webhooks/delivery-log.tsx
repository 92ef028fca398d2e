import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { ListTree } from 'lucide-react';
import { Tag } from '#app/_components/ui/badge.tsx';
import { Card, Section } from '#app/_components/ui/card.tsx';
import { Segments } from '#app/_components/ui/choice.tsx';
import { Empty } from '#app/_components/ui/empty.tsx';
import { Failure } from '#app/_components/ui/failure.tsx';
import { lazyPart } from '#app/_components/ui/lazy-part.tsx';
import { MoreFoot } from '#app/_components/ui/more-foot.tsx';
import { SkeletonRows } from '#app/_components/ui/skeleton.tsx';
import { TableHead } from '#app/_components/ui/table-head.tsx';
import { Time } from '#app/_components/ui/time.tsx';
import { TimesIn } from '#app/_components/ui/times-in.tsx';
import { useInAddress } from '#app/_components/ui/use-in-address.ts';
import { useOpened } from '#app/_components/ui/use-opened.ts';
import { type Outputs, useTRPC } from '#app/_trpc/client.ts';
import { TEST_EVENT_TYPE } from '#server/core/webhooks/inspect.ts';
import { DeliveryState } from './delivery-state.tsx';
import type { Endpoint } from './endpoint-state.tsx';
import { webhooks } from './words.ts';

const DeliveryDialog = lazyPart(() => import('./delivery-dialog.tsx'));

const texts = webhooks.log;
/** Polled while the page is open: a log changes without a notification. */
const LOOK_MS = 2_000;

type Delivery = Outputs['webhooks']['log']['rows'][number];

/** The events of an endpoint, newest first, and how each of them was answered. */
export function DeliveryLog({ endpoint }: { endpoint: Endpoint }) {
  const trpc = useTRPC();
  const [{ show }, change] = useInAddress({ show: 'all' });
  const view = show === 'failed' ? show : 'all';
  const [opened, open, close] = useOpened('event');
  const query = useInfiniteQuery(
    trpc.webhooks.log.infiniteQueryOptions(
      { endpointId: endpoint.id, failed: view === 'failed' },
      {
        getNextPageParam: (page) => page.next,
        placeholderData: keepPreviousData,
        // Older pages change rarely, and a long list would load all of them again.
        refetchInterval: ({ state }) => ((state.data?.pages.length ?? 0) > 1 ? false : LOOK_MS),
      },
    ),
  );
  const { data, error, refetch } = query;
  const rows = data?.pages.flatMap((page) => page.rows) ?? [];
  return (
    <Section
      title={texts.title}
      aside={
        <Segments
          label={texts.filter}
          value={view}
          onChange={(show) => change({ show })}
          options={[
            { value: 'all', label: texts.all },
            { value: 'failed', label: texts.failed },
          ]}
        />
      }
    >
      <Failure error={error} retry={refetch} />
      {(data || !error) && (
        <Card>
          {!data && <SkeletonRows rows={6} />}
          {data && rows.length === 0 && (
            <Empty icon={<ListTree />} {...(view === 'all' ? texts.empty : texts.emptyFailed)} />
          )}
          {rows.length > 0 && <Table rows={rows} onOpen={open} />}
          <MoreFoot query={query} label={texts.more} />
        </Card>
      )}
      {rows.length > 0 && <TimesIn className="text-12 text-ink-3" />}
      {opened !== null && <DeliveryDialog endpoint={endpoint} eventId={opened} onClose={close} />}
    </Section>
  );
}

function Table({ rows, onOpen }: { rows: Delivery[]; onOpen: (eventId: string) => void }) {
  return (
    <table className="table">
      <TableHead
        columns={[
          { title: texts.event },
          { title: texts.about, width: '25%', className: 'max-sm:hidden' },
          { title: texts.state, width: 128 },
          { title: texts.answer, width: 108, className: 'max-md:hidden' },
          { title: texts.duration, width: 96, right: true, className: 'max-md:hidden' },
          { title: texts.time, width: 92, right: true, className: 'max-sm:hidden' },
        ]}
      />
      <tbody>
        {rows.map((row) => (
          <tr key={row.id} className="relative hover:bg-hover">
            <td className="max-sm:py-2!">
              <button
                type="button"
                className="max-w-full truncate text-left font-mono text-12 font-medium before:absolute before:inset-0"
                onClick={() => onOpen(row.eventId)}
              >
                {row.type}
              </button>
              <Time at={row.createdAt} className="hidden text-12 text-ink-3 max-sm:block" />
            </td>
            <td className="truncate font-mono text-12 text-ink-3 max-sm:hidden">
              {row.type === TEST_EVENT_TYPE ? texts.testEvent : row.subject}
            </td>
            <td>
              <DeliveryState row={row} />
            </td>
            <td className="max-md:hidden">
              <Answer row={row} />
            </td>
            <td className="text-right text-ink-2 tabular-nums max-md:hidden">
              {row.lastMs === null ? '–' : texts.ms(row.lastMs)}
            </td>
            <td className="text-right text-ink-2 max-sm:hidden">
              <Time at={row.createdAt} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Answer({ row }: { row: Delivery }) {
  if (row.lastAt === null) return '–';
  if (row.lastStatus === null) return <span className="text-ink-2">{webhooks.delivery.noAnswer}</span>;
  return (
    <Tag tone={row.lastError === null ? 'ok' : 'fail'} mono>
      {row.lastStatus}
    </Tag>
  );
}
