'use client';

import { keepPreviousData, useInfiniteQuery } from '@tanstack/react-query';
import { Download, Users } from 'lucide-react';
import { useState } from 'react';
import { Button } from '#app/_components/ui/button.tsx';
import { Card } from '#app/_components/ui/card.tsx';
import { Empty } from '#app/_components/ui/empty.tsx';
import { Failure } from '#app/_components/ui/failure.tsx';
import { MoreFoot } from '#app/_components/ui/more-foot.tsx';
import { SkeletonRows } from '#app/_components/ui/skeleton.tsx';
import { TimesIn } from '#app/_components/ui/times-in.tsx';
import { useInAddress } from '#app/_components/ui/use-in-address.ts';
import { useSettled } from '#app/_components/ui/use-settled.ts';
import { useMe } from '#app/_features/shell/me.tsx';
import { PageHead } from '#app/_features/shell/page.tsx';
import { type Inputs, useTRPC } from '#app/_trpc/client.ts';
import { PAYMENTS_PATH } from '#server/dashboard/paths.ts';
import { AccountTable, NarrowAccount } from './account-rows.tsx';
import { PlanRequests } from './plan-requests.tsx';
import { RenewDialog } from './renew-dialog.tsx';
import { SearchField } from './search-field.tsx';
import { admin } from './words.ts';

const texts = admin.accounts;
type Show = NonNullable<Inputs['admin']['accounts']['show']>;
const SHOWS = Object.keys(texts.shows) as Show[];

export function AccountList() {
  const trpc = useTRPC();
  const { shown } = useMe();
  const [filter, change] = useInAddress({ q: '', show: 'all' });
  const show = SHOWS.find((one) => one === filter.show) ?? 'all';
  const [picked, setPicked] = useState<ReadonlySet<string>>(new Set());
  const search = useSettled(filter.q.trim());
  const query = useInfiniteQuery(
    trpc.admin.accounts.infiniteQueryOptions(
      { search, show },
      { getNextPageParam: (page) => page.next, placeholderData: keepPreviousData },
    ),
  );
  const { error, refetch } = query;
  const pages = query.data?.pages;
  // Each page has the counts; those of the last one are the newest.
  const data = pages?.at(-1);
  const rows = pages?.flatMap((page) => page.rows) ?? [];
  // Renews only accounts on screen: a selection from before a search is easily forgotten.
  const chosen = rows.filter(({ accountId }) => picked.has(accountId));
  return (
    <>
      <PageHead
        title={texts.title}
        lead={texts.lead}
        actions={
          <Button asChild>
            <a href={`${PAYMENTS_PATH}?${new URLSearchParams(shown)}`} download>
              <Download />
              {texts.payments}
            </a>
          </Button>
        }
      />
      {data && <PlanRequests price={data.price} />}
      <div className="flex flex-col gap-3">
        <div className="flex flex-wrap items-center gap-2">
          <SearchField
            value={filter.q}
            onChange={(q) => change({ q })}
            label={texts.searchLabel}
            placeholder={texts.search}
            className="md:max-w-[320px]"
          />
          <Shows value={show} onChange={(show) => change({ show })} counts={data?.counts} />
        </div>
        <Failure error={error} retry={refetch} />
        {chosen.length > 0 && data && (
          <div className="flex flex-wrap items-center gap-2 rounded-3 bg-brand-bg px-3 py-2 text-13">
            <span className="min-w-0 flex-1 font-medium text-brand-fg">{texts.chosen(chosen.length)}</span>
            <Button variant="ghost" onClick={() => setPicked(new Set())}>
              {texts.chooseNone}
            </Button>
            <RenewDialog accounts={chosen} price={data.price} onDone={() => setPicked(new Set())} />
          </div>
        )}
        <Card aria-label={texts.list}>
          {!data && !error && <SkeletonRows rows={6} />}
          {data && rows.length === 0 && <Empty icon={<Users />} {...texts.none} />}
          {rows.length > 0 && (
            <>
              <AccountTable accounts={rows} picked={picked} onPick={setPicked} />
              <ul className="md:hidden">
                {rows.map((account) => (
                  <NarrowAccount
                    key={account.accountId}
                    account={account}
                    picked={picked}
                    onPick={setPicked}
                  />
                ))}
              </ul>
            </>
          )}
          <MoreFoot query={query} label={texts.more} />
        </Card>
        {rows.length > 0 && <TimesIn className="text-12 text-ink-3" />}
      </div>
    </>
  );
}

/** The filter for accounts, with counts. */
function Shows({
  value,
  onChange,
  counts,
}: {
  value: Show;
  onChange: (show: Show) => void;
  counts: Record<Show, number> | undefined;
}) {
  return (
    <fieldset className="flex min-w-0 flex-wrap gap-1.5">
      <legend className="sr-only">{texts.show}</legend>
      {SHOWS.map((show) => (
        <button
          key={show}
          type="button"
          aria-pressed={show === value}
          onClick={() => onChange(show)}
          className="inline-flex h-7 items-center gap-1.5 rounded-full border border-line-strong bg-raised px-2.5 text-12 font-medium whitespace-nowrap text-ink-2 hover:text-ink aria-pressed:border-brand-line aria-pressed:bg-brand-bg aria-pressed:text-brand-fg max-md:h-9"
        >
          {texts.shows[show]}
          <span className="tabular-nums">{counts ? counts[show].toLocaleString('en') : '…'}</span>
        </button>
      ))}
    </fieldset>
  );
}
