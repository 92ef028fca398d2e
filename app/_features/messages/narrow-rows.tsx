import clsx from 'clsx';
import { memo } from 'react';
import Link from '#app/_components/ui/link.tsx';
import { messageName } from '#app/_components/ui/state-words.ts';
import { MESSAGE_SIGNS } from '#app/_components/ui/states.tsx';
import { StatusIcon } from '#app/_components/ui/status-icon.tsx';
import { Tick } from '#app/_components/ui/tick.tsx';
import { Time } from '#app/_components/ui/time.tsx';
import { KindIcon } from '#app/_features/kinds/kind-icon.tsx';
import { isAccepted } from '#server/core/message-state.ts';
import { Preview, ROW_HEIGHT } from './message-row.tsx';
import type { MessageRow } from './use-messages.ts';
import type { Selection } from './use-selection.ts';
import { messages } from './words.ts';

/** Beside the state, because a narrow row is one link already. */
const SENT_AGAIN = 'sent again';

/** The visible rows on a narrow screen. Loads on demand. */
export default function NarrowRows({
  rows,
  query,
  picks,
  selection,
}: {
  rows: MessageRow[];
  query: string;
  picks: boolean;
  selection: Selection;
}) {
  return rows.map((row) => (
    <NarrowRow
      key={row.id}
      row={row}
      query={query}
      picks={picks}
      selected={selection.has(row.id)}
      full={selection.full}
      onSelect={selection.select}
    />
  ));
}

const NarrowRow = memo(function NarrowRow({
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
          {row.sendAt && !isAccepted(row.status) && (
            <>
              {' · '}
              {messages.scheduledFor} <Time at={row.sendAt} seconds={false} />
            </>
          )}
          {row.sentAgainAs && `, ${SENT_AGAIN}`}
          {!row.sentAgainAs && row.laterSent && `, ${messages.laterSent.toLowerCase()}`}
        </span>
      </span>
    </span>
  );
}
