import { useRouter } from 'next/navigation';
import { memo } from 'react';
import Link from '#app/_components/ui/link.tsx';
import { MessageState } from '#app/_components/ui/states.tsx';
import { Tick } from '#app/_components/ui/tick.tsx';
import { Time } from '#app/_components/ui/time.tsx';
import { KindIcon } from '#app/_features/kinds/kind-icon.tsx';
import { lineOf } from '#app/_features/kinds/kind-labels.ts';
import { isAccepted } from '#server/core/message-state.ts';
import type { MessageRow } from './use-messages.ts';
import { messages } from './words.ts';

const MARK = 'ml-auto shrink-0';
const SENT_AGAIN = 'Sent again';

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
  const later = row.sentAgainAs ?? row.laterSent?.id;
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
        <MessageState {...row} />
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
          {row.sendAt && !isAccepted(row.status) && (
            <span className="ml-auto shrink-0 text-12 text-ink-2 @max-3xl:hidden">
              {messages.scheduledFor} <Time at={row.sendAt} seconds={false} />
            </span>
          )}
          {later && (
            <span className={row.sentAgainAs ? MARK : `${MARK} @max-3xl:hidden`}>
              <SentAgain
                href={`/messages/${later}${query}`}
                {...(!row.sentAgainAs && { text: messages.laterSent })}
              />
            </span>
          )}
        </span>
      </td>
      <td className="text-ink-2 @max-3xl:hidden">{from}</td>
      <td className="text-right text-ink-2">
        <Time at={row.createdAt} />
      </td>
    </tr>
  );
});

/** One line of its content. */
export function Preview({ row }: { row: MessageRow }) {
  const look = row.preview === null ? 'text-ink-3' : 'min-w-0 truncate';
  return <span className={look}>{lineOf(row)}</span>;
}

/** The mark of a row whose message was sent again, or a later one like it was sent, with a link to that message. */
function SentAgain({ href, text = SENT_AGAIN }: { href: string; text?: string }) {
  return (
    <Link
      href={href}
      scroll={false}
      prefetch={false}
      className="text-12 font-medium text-brand-fg hover:underline"
      onClick={(event) => event.stopPropagation()}
    >
      {text}
    </Link>
  );
}
