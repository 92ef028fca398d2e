'use client';

import clsx from 'clsx';
import { useRouter } from 'next/navigation';
import { memo } from 'react';
import Link from '#app/_components/ui/link.tsx';
import { messageName } from '#app/_components/ui/state-words.ts';
import { MESSAGE_SIGNS, MessageState } from '#app/_components/ui/states.tsx';
import { StatusIcon } from '#app/_components/ui/status-icon.tsx';
import { Tick } from '#app/_components/ui/tick.tsx';
import { Time } from '#app/_components/ui/time.tsx';
import { KindIcon } from '#app/_features/kinds/kind-icon.tsx';
import { lineOf } from '#app/_features/kinds/kind-labels.ts';
import type { MessageRow } from './use-messages.ts';
import { messages } from './words.ts';

/** In px. All rows have the same height, so a list of any length needs no measuring. */
export const ROW_HEIGHT = { wide: 36, narrow: 65 } as const;

export const TableRow = memo(function TableRow({
  row,
  at,
  chosen,
  from,
  query,
  selected,
  full,
  onSelect,
}: {
  row: MessageRow;
  /** Its row in the whole table, counting the header. */
  at: number;
  chosen: boolean;
  from: string;
  query: string;
  selected: boolean;
  /** The selection is full. */
  full: boolean;
  onSelect: (ids: readonly string[], on: boolean) => void;
}) {
  const router = useRouter();
  const href = `/messages/${row.id}${query}`;
  return (
    <tr
      aria-selected={chosen}
      aria-rowindex={at}
      className="cursor-pointer"
      onClick={() => router.push(href, { scroll: false })}
    >
      {/* biome-ignore lint/a11y/useKeyWithClickEvents: a click beside the box does not open the message */}
      <td className="cursor-default" onClick={(event) => event.stopPropagation()}>
        <Tick
          checked={selected}
          disabled={full && !selected}
          onChange={(on) => onSelect([row.id], on)}
          aria-label={messages.select(row.toText)}
        />
      </td>
      <td>
        <MessageState status={row.status} setAside={row.setAside} />
      </td>
      <td>
        <Link href={href} scroll={false} prefetch={false} onClick={(event) => event.stopPropagation()}>
          {row.toText}
        </Link>
      </td>
      <td>
        <span className="flex items-center gap-2">
          <KindIcon type={row.type} />
          <Preview row={row} />
        </span>
      </td>
      <td className="text-ink-2 @max-3xl:hidden">{from}</td>
      <td className="text-right text-ink-2">
        <Time at={row.createdAt} />
      </td>
    </tr>
  );
});

export const NarrowRow = memo(function NarrowRow({
  row,
  query,
  picks,
  selected,
  full,
  onSelect,
}: {
  row: MessageRow;
  query: string;
  /** A tap selects the message instead of opening it. */
  picks: boolean;
  selected: boolean;
  full: boolean;
  onSelect: (ids: readonly string[], on: boolean) => void;
}) {
  const look = 'flex h-full items-center gap-2.5 border-b border-line-soft px-4';
  return (
    <li style={{ height: ROW_HEIGHT.narrow }}>
      {picks ? (
        // biome-ignore lint/a11y/noLabelWithoutControl: the tick in it is a check box
        <label className={clsx(look, selected && 'bg-active')}>
          <Tick
            checked={selected}
            disabled={full && !selected}
            onChange={(on) => onSelect([row.id], on)}
            aria-label={messages.select(row.toText)}
          />
          <NarrowText row={row} />
        </label>
      ) : (
        <Link href={`/messages/${row.id}${query}`} prefetch={false} className={look}>
          <StatusIcon {...MESSAGE_SIGNS[row.status]} className="mt-[14px] self-start" />
          <NarrowText row={row} />
        </Link>
      )}
    </li>
  );
});

function NarrowText({ row }: { row: MessageRow }) {
  const { tone } = MESSAGE_SIGNS[row.status];
  const loud = tone === 'warn' || tone === 'fail';
  return (
    <span className="min-w-0 flex-1">
      <span className="flex justify-between gap-2">
        <b className="truncate font-medium tabular-nums">{row.toText}</b>
        <Time at={row.createdAt} className="shrink-0 text-12 text-ink-3 tabular-nums" />
      </span>
      <span className="flex items-center gap-2 text-13 text-ink-2">
        <KindIcon type={row.type} />
        <span className="min-w-0 flex-1 truncate">
          <Preview row={row} />
        </span>
        <span className={clsx('text-12', loud ? `tone-${tone} text-tone-fg` : 'text-ink-3')}>
          {messageName(row)}
        </span>
      </span>
    </span>
  );
}

function Preview({ row }: { row: MessageRow }) {
  const look = row.preview === null ? 'text-ink-3' : 'min-w-0 truncate';
  return <span className={look}>{lineOf(row)}</span>;
}
