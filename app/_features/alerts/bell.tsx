import { useQuery } from '@tanstack/react-query';
import { Bell as BellIcon } from 'lucide-react';
import { useState } from 'react';
import { lazyPart } from '#app/_components/ui/lazy-part.tsx';
import { Popover } from '#app/_components/ui/popover.tsx';
import { Skeleton } from '#app/_components/ui/skeleton.tsx';
import { useNumbers } from '#app/_features/shell/use-numbers.ts';
import { useTRPC } from '#app/_trpc/client.ts';
import { bell as texts } from './bell-words.ts';
import { notYetRaised, openAlerts } from './under-way.ts';

const AlertPanel = lazyPart(() => import('./alert-panel.tsx'), <Loading />);

/** Polled, because alerts about the plan come without a change of a number. */
const LOOK_MS = 30_000;
const SHOWN_MAX = 9;

/** A bell with the count of unread alerts, or with a dot while a problem still exists. */
export function Bell() {
  const trpc = useTRPC();
  const query = useQuery(trpc.alerts.list.queryOptions(undefined, { refetchInterval: LOOK_MS }));
  const [open, setOpen] = useState(false);
  const unread = query.data?.unread ?? 0;
  const alerts = query.data?.alerts ?? [];
  const current = openAlerts(alerts).length + notYetRaised(useNumbers(), alerts).length;
  return (
    <Popover
      open={open}
      onOpenChange={setOpen}
      label={texts.title}
      align="end"
      className="flex max-h-[min(560px,var(--radix-popover-content-available-height))] w-[min(400px,calc(100vw-24px))] flex-col overflow-hidden"
      trigger={
        <button
          type="button"
          aria-label={texts.label(unread, current)}
          className="relative grid size-8 shrink-0 place-items-center rounded-2 text-ink-2 hover:bg-hover hover:text-ink data-[state=open]:bg-active max-md:size-11"
        >
          <BellIcon className="size-4 max-md:size-5" strokeWidth={1.75} />
          {unread === 0 && current > 0 && (
            <span
              aria-hidden="true"
              className="tone-warn absolute top-1 right-1 size-2 rounded-full bg-tone-solid ring-2 ring-surface max-md:top-2.5 max-md:right-2.5"
            />
          )}
          {unread > 0 && (
            <span
              aria-hidden="true"
              className="absolute -top-0.5 -right-0.5 grid h-4 min-w-4 place-items-center rounded-full bg-brand-solid px-1 text-[10px] leading-none font-semibold text-on-brand tabular-nums ring-2 ring-surface max-md:top-1.5 max-md:right-1"
            >
              {unread > SHOWN_MAX ? `${SHOWN_MAX}+` : unread}
            </span>
          )}
        </button>
      }
    >
      <AlertPanel list={query.data} error={query.error} retry={query.refetch} />
    </Popover>
  );
}

function Loading() {
  return (
    <div aria-busy="true" className="p-3.5">
      <Skeleton className="h-24" />
    </div>
  );
}
