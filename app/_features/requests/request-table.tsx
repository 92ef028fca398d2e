import { useQuery } from '@tanstack/react-query';
import clsx from 'clsx';
import { Tag } from '#app/_components/ui/badge.tsx';
import Link from '#app/_components/ui/link.tsx';
import { MessageState } from '#app/_components/ui/states.tsx';
import { TableHead } from '#app/_components/ui/table-head.tsx';
import { Time } from '#app/_components/ui/time.tsx';
import { type Outputs, useTRPC } from '#app/_trpc/client.ts';
import { startedAt } from '#server/core/started-at.ts';
import { AnswerTag } from './answer-tag.tsx';
import { requests as texts } from './words.ts';

type Row = Outputs['requests']['list']['rows'][number];

const hungUp = ({ errorCode }: Row) => errorCode === 'hung_up';
const codeOf = (row: Row) =>
  hungUp(row) ? (row.leftWaiting ? texts.hungUpWaiting : texts.hungUp) : row.errorCode;

/** A request is listed when it has ended, and one that waited long started earlier than its neighbours. */
const newestFirst = (rows: Row[]) =>
  rows.toSorted((one, other) => startedAt(other).getTime() - startedAt(one).getTime());

/** Requests, newest first. On a narrow page, what has no column is below the request. */
export function RequestTable({ rows, onOpen }: { rows: Row[]; onOpen: (requestId: string) => void }) {
  const trpc = useTRPC();
  const { data: keys } = useQuery(trpc.keys.list.queryOptions());
  const nameOf = (keyId: string | null) => {
    const key = keys?.find(({ id }) => id === keyId);
    return key ? key.name || key.hint : keys ? texts.removedKey : '';
  };
  const { columns } = texts;
  return (
    <table className="table">
      <TableHead
        columns={[
          { title: columns.time, width: 128, className: 'max-sm:hidden' },
          { title: columns.duration, width: 92, right: true, className: 'max-[1360px]:hidden' },
          { title: columns.request },
          { title: columns.status, width: 84 },
          { title: columns.message, width: 132, className: 'max-sm:hidden' },
          { title: columns.recipient, width: 144, className: 'max-[1240px]:hidden' },
          { title: columns.code, width: '18%', className: 'max-lg:hidden' },
          { title: columns.key, width: '12%', className: 'max-[1480px]:hidden' },
        ]}
      />
      <tbody>
        {newestFirst(rows).map((row) => (
          <tr key={row.id} className="relative hover:bg-hover">
            <td className="text-ink-2 max-sm:hidden">
              <Time at={startedAt(row)} />
            </td>
            <td className="text-right text-ink-2 tabular-nums max-[1360px]:hidden">
              {texts.ms(row.durationMs)}
            </td>
            <td className="max-[1360px]:py-2!">
              <span className="flex items-center gap-2">
                <button
                  type="button"
                  className="min-w-0 truncate text-left font-mono text-12 font-medium before:absolute before:inset-0"
                  onClick={() => onOpen(row.requestId)}
                >
                  {row.endpoint}
                </button>
                {row.repeat && <Tag className="shrink-0">{texts.repeat}</Tag>}
              </span>
              <span className="flex flex-wrap gap-x-2.5 text-12 text-ink-3 tabular-nums min-[1361px]:hidden">
                <span className="sm:hidden">
                  <Time at={startedAt(row)} />
                </span>
                <span>{texts.ms(row.durationMs)}</span>
                {row.to !== null && <span className="max-w-full truncate min-[1241px]:hidden">{row.to}</span>}
                {row.errorCode !== null && <span className="lg:hidden">{codeOf(row)}</span>}
                <span className="sm:hidden">
                  <StateOfMessage row={row} />
                </span>
              </span>
            </td>
            <td>
              <AnswerTag request={row} />
            </td>
            <td className="max-sm:hidden">
              <StateOfMessage row={row} none="–" />
            </td>
            <td className="truncate text-ink-2 tabular-nums max-[1240px]:hidden">{row.to ?? '–'}</td>
            <td
              className={clsx(
                'max-lg:hidden',
                hungUp(row) ? 'py-2! whitespace-normal! text-ink-2' : 'truncate font-mono text-12',
              )}
            >
              {codeOf(row) ?? '–'}
            </td>
            <td className="truncate text-ink-2 max-[1480px]:hidden">{nameOf(row.keyId)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** The present state of a request's message, with a link to it. */
function StateOfMessage({ row, none = null }: { row: Row; none?: string | null }) {
  if (row.messageStatus === null) return none;
  return (
    // Above the button, which covers the row.
    <Link href={`/messages/${row.messageId}`} prefetch={false} className="relative hover:underline">
      <MessageState status={row.messageStatus} setAside={row.messageSetAside} sendAt={row.messageSendAt} />
    </Link>
  );
}
