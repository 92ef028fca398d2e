'use client';

import { useInfiniteQuery } from '@tanstack/react-query';
import { BellOff } from 'lucide-react';
import { Card } from '#app/_components/ui/card.tsx';
import { Empty } from '#app/_components/ui/empty.tsx';
import { Failure } from '#app/_components/ui/failure.tsx';
import Link from '#app/_components/ui/link.tsx';
import { MoreFoot } from '#app/_components/ui/more-foot.tsx';
import { SkeletonRows } from '#app/_components/ui/skeleton.tsx';
import { alertSign } from '#app/_components/ui/states.tsx';
import { StatusIcon } from '#app/_components/ui/status-icon.tsx';
import { Time } from '#app/_components/ui/time.tsx';
import { TimesIn } from '#app/_components/ui/times-in.tsx';
import { alerts } from '#app/_features/alerts/words.ts';
import { useTRPC } from '#app/_trpc/client.ts';
import { admin } from './words.ts';

const texts = admin.alerts;

/** The alerts of all accounts, newest first. */
export function AllAlerts() {
  const trpc = useTRPC();
  const query = useInfiniteQuery(
    trpc.admin.alerts.infiniteQueryOptions({}, { getNextPageParam: (page) => page.next }),
  );
  const { data, error, refetch } = query;
  const rows = data?.pages.flatMap((page) => page.rows) ?? [];
  if (error && !data) return <Failure error={error} retry={refetch} />;
  return (
    <div className="flex flex-col gap-3">
      <Card aria-label={texts.list}>
        <h2 className="sr-only">{texts.list}</h2>
        {!data && <SkeletonRows rows={6} />}
        {data && rows.length === 0 && <Empty icon={<BellOff />} {...texts.none} />}
        <ul>
          {rows.map((alert) => {
            const { tone, shape } = alertSign(alert.sign);
            return (
              <li
                key={alert.id}
                className={`tone-${tone} flex gap-2.5 border-line-soft px-4 py-3 text-13 [--cut:var(--raised)] [&+&]:border-t`}
              >
                <StatusIcon shape={shape} className="mt-[3px]" />
                <div className="min-w-0 flex-1">
                  <div className="flex flex-wrap items-baseline gap-x-3">
                    <h3 className="min-w-0 text-13 font-medium">{alert.title}</h3>
                    <Link
                      href={`/admin/accounts/${alert.accountId}`}
                      className="min-w-0 truncate text-12 text-brand-fg hover:underline"
                    >
                      {alert.accountName}
                    </Link>
                  </div>
                  <p className="mt-0.5 text-12 text-ink-2">{alert.what}</p>
                  {alert.overAt && (
                    <p className="mt-0.5 text-12 text-ink-2">
                      {alerts.over} <Time at={alert.overAt} seconds={false} />.
                    </p>
                  )}
                </div>
                <Time at={alert.happenedAt} seconds={false} className="shrink-0 text-12 text-ink-3" />
              </li>
            );
          })}
        </ul>
        <MoreFoot query={query} label={texts.more} />
      </Card>
      {rows.length > 0 && <TimesIn className="text-12 text-ink-3" />}
    </div>
  );
}
