'use client';

import { Plus, Smartphone } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { Tag } from '#app/_components/ui/badge.tsx';
import { ButtonLink } from '#app/_components/ui/button-link.tsx';
import { Card, CardFoot } from '#app/_components/ui/card.tsx';
import { Empty } from '#app/_components/ui/empty.tsx';
import Link from '#app/_components/ui/link.tsx';
import { NumberBadge, NumberGlyph } from '#app/_components/ui/states.tsx';
import { TableHead } from '#app/_components/ui/table-head.tsx';
import { Time, useNow } from '#app/_components/ui/time.tsx';
import { TimesIn } from '#app/_components/ui/times-in.tsx';
import { common } from '#app/_components/ui/words.ts';
import { PageHead } from '#app/_features/shell/page.tsx';
import { useNumbers } from '#app/_features/shell/use-numbers.ts';
import { NUMBER_NAMES, signOf } from '#server/core/number-sign.ts';
import { intervalText } from '#server/core/pacing/interval.ts';
import { type NumberItem, wordsOf } from './number-sentence.ts';
import { numbers as texts } from './words.ts';

export function NumberList() {
  const numbers = useNumbers();
  const add = (
    <ButtonLink variant="primary" href="/numbers/new">
      <Plus />
      {texts.add}
    </ButtonLink>
  );
  return (
    <>
      <PageHead title={texts.title} lead={texts.lead} actions={numbers.length > 0 && add} />
      {numbers.length === 0 ? (
        <Card>
          <Empty icon={<Smartphone />} {...texts.empty} action={add} />
        </Card>
      ) : (
        <Card>
          <NumberTable numbers={numbers} />
          <ul className="sm:hidden">
            {numbers.map((number) => (
              <NarrowRow key={number.id} number={number} />
            ))}
          </ul>
          <CardFoot className="max-md:hidden">
            <TimesIn />
          </CardFoot>
        </Card>
      )}
    </>
  );
}

function NumberTable({ numbers }: { numbers: NumberItem[] }) {
  const router = useRouter();
  const now = useNow(10_000);
  const { columns } = texts;
  return (
    <table className="table max-sm:hidden">
      <TableHead
        columns={[
          { title: columns.number },
          { title: columns.state, width: 200 },
          { title: columns.waiting, width: 190, className: 'max-md:hidden' },
          { title: columns.interval, width: 90, right: true },
          { title: columns.since, width: 150, right: true, className: 'max-md:hidden' },
        ]}
      />
      <tbody>
        {numbers.map((number) => (
          <tr key={number.id} className="cursor-pointer" onClick={() => router.push(`/numbers/${number.id}`)}>
            <td className="h-[52px]!">
              <span className="flex items-center gap-2">
                <Link href={`/numbers/${number.id}`} className="truncate font-medium">
                  {number.name}
                </Link>
                {number.network === 'sandbox' && <Tag>{common.sandbox}</Tag>}
              </span>
              {number.label && number.phoneText && (
                <span className="block text-12 text-ink-3">{number.phoneText}</span>
              )}
            </td>
            <td>
              <NumberBadge sign={signOf(number)} />
            </td>
            <td className="text-ink-2 max-md:hidden">{wordsOf(number, now).waiting}</td>
            <td className="text-right text-ink-2">{texts.intervalOf(intervalText(number))}</td>
            <td className="text-right text-ink-2 max-md:hidden">
              <Time at={number.statusSince} seconds={false} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function NarrowRow({ number }: { number: NumberItem }) {
  const now = useNow(10_000);
  return (
    <li className="border-line-soft [&+&]:border-t">
      <Link href={`/numbers/${number.id}`} className="flex gap-2.5 px-4 py-3">
        <span className="pt-[3px]">
          <NumberGlyph sign={signOf(number)} />
        </span>
        <span className="min-w-0 flex-1">
          <span className="flex justify-between gap-2">
            <b className="truncate font-medium">{number.name}</b>
            <span className="shrink-0 text-12 text-ink-3">{NUMBER_NAMES[signOf(number)]}</span>
          </span>
          <span className="flex justify-between gap-2 text-13 text-ink-2 tabular-nums">
            <span>{number.label ? number.phoneText : ''}</span>
            <span className="text-12 text-ink-3">{wordsOf(number, now).waiting}</span>
          </span>
        </span>
      </Link>
    </li>
  );
}
