'use client';

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Search, Users } from 'lucide-react';
import Link from 'next/link';
import { useRouter } from 'next/navigation';
import { useEffect, useState } from 'react';
import { useMe } from '#app/_components/shell/me.tsx';
import { PageHead } from '#app/_components/shell/page.tsx';
import { day, Time } from '#app/_components/time.tsx';
import { Tag } from '#app/_components/ui/badge.tsx';
import { Card, Empty } from '#app/_components/ui/card.tsx';
import { Note } from '#app/_components/ui/note.tsx';
import { SkeletonRows } from '#app/_components/ui/skeleton.tsx';
import { admin } from '#app/_texts/admin.ts';
import { common } from '#app/_texts/common.ts';
import { type Outputs, useTRPC } from '#app/_trpc/client.ts';
import { sentenceOf } from '#app/_trpc/provider.tsx';
import { PlanBadge } from './plan-badge.tsx';

const texts = admin.accounts;
const TYPING_MS = 200;
type Account = Outputs['admin']['accounts'][number];

export function AccountList() {
  const trpc = useTRPC();
  const [text, setText] = useState('');
  const search = useSettled(text.trim(), TYPING_MS);
  const { data, error } = useQuery(
    trpc.admin.accounts.queryOptions({ search }, { placeholderData: keepPreviousData }),
  );
  return (
    <>
      <PageHead title={texts.title} lead={texts.lead} />
      <div className="flex flex-col gap-3">
        <label className="flex h-8 max-w-[320px] items-center gap-2 rounded-3 border border-line-strong bg-[light-dark(var(--raised),var(--sunken))] px-2.5 focus-within:border-focus focus-within:ring-3 focus-within:ring-[color-mix(in_oklab,var(--focus)_22%,transparent)] max-md:h-10 max-md:max-w-none">
          <Search className="size-3.5 shrink-0 text-ink-3" />
          <input
            type="search"
            value={text}
            onChange={(event) => setText(event.target.value)}
            aria-label={texts.searchLabel}
            placeholder={texts.search}
            maxLength={200}
            className="min-w-0 flex-1 bg-transparent text-13 outline-none max-md:text-16"
          />
        </label>
        {error && <Note tone="fail">{sentenceOf(error)}</Note>}
        <Card aria-label={texts.list}>
          {!data && !error && <SkeletonRows rows={6} label={common.loading} />}
          {data?.length === 0 && (
            <Empty icon={<Users />} title={texts.none.title}>
              {texts.none.text}
            </Empty>
          )}
          {data && data.length > 0 && (
            <>
              <AccountTable accounts={data} />
              <ul className="sm:hidden">
                {data.map((account) => (
                  <NarrowRow key={account.accountId} account={account} />
                ))}
              </ul>
            </>
          )}
        </Card>
      </div>
    </>
  );
}

/** The value once it has not changed for a while. */
function useSettled(value: string, ms: number): string {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), ms);
    return () => clearTimeout(timer);
  }, [value, ms]);
  return settled;
}

function AccountTable({ accounts }: { accounts: Account[] }) {
  const me = useMe();
  const router = useRouter();
  const { columns } = texts;
  return (
    <table className="table max-sm:hidden">
      <colgroup>
        <col />
        <col style={{ width: 140 }} />
        <col style={{ width: 110 }} />
        <col className="max-md:hidden" style={{ width: 180 }} />
        <col className="max-md:hidden" style={{ width: 150 }} />
      </colgroup>
      <thead>
        <tr>
          <th>{columns.account}</th>
          <th>{columns.plan}</th>
          <th className="text-right!">{columns.numbers}</th>
          <th className="max-md:hidden">{columns.until}</th>
          <th className="text-right! max-md:hidden">{columns.created}</th>
        </tr>
      </thead>
      <tbody>
        {accounts.map((account) => (
          <tr
            key={account.accountId}
            className="cursor-pointer"
            onClick={() => router.push(`/admin/accounts/${account.accountId}`)}
          >
            <td className="h-[52px]!">
              <span className="flex items-center gap-2">
                <Link href={`/admin/accounts/${account.accountId}`} className="truncate font-medium">
                  {account.name}
                </Link>
                {account.accountId === me.account.accountId && <Tag tone="brand">{texts.yours}</Tag>}
              </span>
              {account.email !== account.name && (
                <span className="block truncate text-12 text-ink-3">{account.email}</span>
              )}
            </td>
            <td>
              <PlanBadge state={account.plan} suspended={account.suspended} />
            </td>
            <td className="text-right text-ink-2">
              {texts.of(account.numbersUsed, account.numbersIncluded)}
            </td>
            <td className="text-ink-2 max-md:hidden">{account.paidUntil ? day(account.paidUntil) : ''}</td>
            <td className="text-right text-ink-2 max-md:hidden">
              <Time at={account.createdAt} seconds={false} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function NarrowRow({ account }: { account: Account }) {
  return (
    <li className="border-line-soft [&+&]:border-t">
      <Link href={`/admin/accounts/${account.accountId}`} className="block px-4 py-3">
        <span className="flex items-center justify-between gap-2">
          <b className="truncate font-medium">{account.name}</b>
          <PlanBadge state={account.plan} suspended={account.suspended} />
        </span>
        <span className="mt-0.5 flex justify-between gap-2 text-12 text-ink-3 tabular-nums">
          <span className="truncate">{account.email}</span>
          <span className="shrink-0">{texts.of(account.numbersUsed, account.numbersIncluded)}</span>
        </span>
      </Link>
    </li>
  );
}
