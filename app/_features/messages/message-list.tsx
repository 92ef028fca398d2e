import { MessageSquareText } from 'lucide-react';
import { useParams, useRouter } from 'next/navigation';
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import { Button } from '#app/_components/ui/button.tsx';
import { Empty } from '#app/_components/ui/empty.tsx';
import { Failure } from '#app/_components/ui/failure.tsx';
import { lazyPart } from '#app/_components/ui/lazy-part.tsx';
import { SkeletonRows } from '#app/_components/ui/skeleton.tsx';
import { TableHead } from '#app/_components/ui/table-head.tsx';
import { Tick } from '#app/_components/ui/tick.tsx';
import { TimesIn } from '#app/_components/ui/times-in.tsx';
import { useNarrow } from '#app/_components/ui/use-narrow.ts';
import { useNumbers } from '#app/_features/shell/use-numbers.ts';
import { ROW_HEIGHT, TableRow } from './message-row.tsx';
import { useFilters } from './use-filters.ts';
import { type MessageRow, useFollowing, useMessages } from './use-messages.ts';
import { useRowWindow } from './use-row-window.ts';
import { useSelection } from './use-selection.ts';
import { messages as texts } from './words.ts';

const loadNarrowRows = () => import('./narrow-rows.tsx');
const NarrowRows = lazyPart(loadNarrowRows, <SkeletonRows rows={6} />);
const SelectionBar = lazyPart(
  () => import('./selection-bar.tsx'),
  <div className="h-10 shrink-0 border-t border-line" />,
);
const HEAD_HEIGHT = 34;
/** Older messages load when this few rows are left below. */
const READ_AHEAD = 60;

/** The scroll position of each list, restored when the user comes back. */
const offsets = new Map<string, number>();

/** The account's messages, newest first, updated live. */
export function MessageList() {
  const [filters, change, query] = useFilters();
  const { rows, data, error, refetch, hasNextPage, isFetchingNextPage, fetchNextPage, lookedBackTo } =
    useMessages(filters);
  useFollowing(filters);
  const narrow = useNarrow();
  // Together with the rows, not after them.
  useEffect(() => {
    if (narrow) void loadNarrowRows();
  }, [narrow]);
  if (error && rows.length === 0) {
    return (
      <div className="p-5">
        <Failure error={error} retry={refetch} />
      </div>
    );
  }
  // Never the rows of another filter.
  if (!data) {
    const label = Object.keys(filters).length > 0 ? texts.searching : undefined;
    return <SkeletonRows rows={12} label={label} />;
  }
  if (rows.length === 0 && hasNextPage)
    return (
      <div className="flex-1 border-t border-line p-5">
        <p role="status" className="mb-3 text-13 text-ink-3">
          {texts.lookingBack(lookedBackTo)}
        </p>
        <SkeletonRows rows={11} />
      </div>
    );
  if (rows.length === 0)
    return (
      <NoMessage
        filtered={Object.keys(filters).length > 0}
        onClear={() => change(Object.fromEntries(Object.keys(filters).map((name) => [name, undefined])))}
      />
    );
  return (
    <Rows
      key={query}
      rows={rows}
      query={query}
      more={hasNextPage}
      lookedBackTo={lookedBackTo}
      reading={isFetchingNextPage}
      onMore={() => void fetchNextPage()}
    />
  );
}

function Rows({
  rows,
  query,
  more,
  lookedBackTo,
  reading,
  onMore,
}: {
  rows: MessageRow[];
  query: string;
  more: boolean;
  /** Older messages were not yet looked through for matches. */
  lookedBackTo: string | undefined;
  reading: boolean;
  onMore: () => void;
}) {
  const { messageId } = useParams<{ messageId?: string }>();
  const narrow = useNarrow();
  const numbers = useNumbers();
  const names = useMemo(() => new Map(numbers.map(({ id, name }) => [id, name])), [numbers]);
  const scroller = useRef<HTMLElement>(null);
  const head = narrow ? 0 : HEAD_HEIGHT;
  const height = ROW_HEIGHT[narrow ? 'narrow' : 'wide'];
  const [offset] = useState(() => offsets.get(query) ?? 0);
  const { from, to, scrollTo } = useRowWindow({ scroller, count: rows.length, height, head, offset });
  useEffect(() => {
    const at = scroller.current;
    return () => void offsets.set(query, at?.scrollTop ?? 0);
  }, [query]);

  const near = to >= rows.length - READ_AHEAD;
  useEffect(() => {
    if (near && more && !reading) onMore();
  }, [near, more, reading, onMore]);
  useArrows(rows, messageId, query, scrollTo);

  const selection = useSelection(rows);
  const { select, full } = selection;
  // A narrow row has no room for a box until its list is in this mode.
  const [selecting, setSelecting] = useState(false);
  const picks = narrow && selecting;
  const withBar = selection.rows.length > 0 && (!narrow || selecting);

  const loading = lookedBackTo ? texts.lookingBack(lookedBackTo) : texts.loadingMore;
  const status = reading ? loading : texts.count(rows.length, more);
  const above = from * height;
  const below = (rows.length - to) * height;
  const shown = rows.slice(from, to);
  return (
    <>
      <section
        ref={scroller}
        aria-label={texts.list}
        className="min-h-0 flex-1 overflow-auto border-t border-line [overflow-anchor:none] [scrollbar-width:thin]"
      >
        {narrow ? (
          <ul style={{ paddingTop: above, paddingBottom: below }}>
            <NarrowRows rows={shown} query={query} picks={picks} selection={selection} />
          </ul>
        ) : (
          <Table
            count={rows.length}
            more={more}
            above={above}
            below={below}
            all={selection.all}
            onAll={selection.selectAll}
          >
            {shown.map((row, index) => (
              <TableRow
                key={row.id}
                row={row}
                at={from + index + 2}
                chosen={row.id === messageId}
                from={names.get(row.numberId) ?? row.numberLabel}
                query={query}
                selected={selection.has(row.id)}
                full={full}
                onSelect={select}
              />
            ))}
          </Table>
        )}
      </section>
      {withBar && <SelectionBar rows={selection.rows} full={full} onHandled={(ids) => select(ids, false)} />}
      <footer
        hidden={withBar && !narrow}
        className="flex h-10 shrink-0 items-center justify-between border-t border-line px-5 text-12 whitespace-nowrap text-ink-3 tabular-nums [&[hidden]]:hidden max-md:px-4"
      >
        <span className="flex min-w-0 items-center gap-3">
          <span aria-live="polite">{status}</span>
          {/* A message beside the list says it. */}
          {!messageId && <TimesIn className="min-w-0 leading-4 whitespace-normal" />}
        </span>
        {narrow && (
          <Button size="small" variant="ghost" className="-mr-2" onClick={() => setSelecting(!selecting)}>
            {selecting ? texts.selected : texts.selectSome}
          </Button>
        )}
        <span className="flex gap-3 max-lg:hidden @max-2xl:hidden">
          <span className="flex items-center gap-1">
            <kbd>↑</kbd>
            <kbd>↓</kbd> {texts.keys.move}
          </span>
          <span className="flex items-center gap-1">
            <kbd>/</kbd> {texts.keys.search}
          </span>
          <span className="flex items-center gap-1">
            <kbd>R</kbd> {texts.keys.again}
          </span>
        </span>
      </footer>
    </>
  );
}

function Table({
  count,
  more,
  above,
  below,
  all,
  onAll,
  children,
}: {
  count: number;
  more: boolean;
  above: number;
  below: number;
  /** Whether all rows are selected. */
  all: boolean;
  onAll: (on: boolean) => void;
  children: ReactNode;
}) {
  const { columns } = texts;
  return (
    <table
      aria-rowcount={more ? -1 : count + 1}
      className="table table-dense [&_td:first-child]:pl-5 [&_th]:sticky [&_th]:top-0 [&_th]:z-[1] [&_th:first-child]:pl-5"
    >
      <TableHead
        columns={[
          { title: <Tick checked={all} onChange={onAll} aria-label={texts.selectAll} />, width: 40 },
          { title: columns.state, width: 124 },
          { title: columns.to, width: 168 },
          { title: columns.message },
          { title: columns.from, width: 120, className: '@max-3xl:hidden' },
          { title: columns.time, width: 128, right: true },
        ]}
      />
      <Gap height={above} />
      <tbody>{children}</tbody>
      <Gap height={below} />
    </table>
  );
}

/** Space for the rows outside the view. */
function Gap({ height }: { height: number }) {
  if (height <= 0) return null;
  return (
    <tbody aria-hidden="true">
      <tr>
        <td colSpan={6} style={{ height }} className="border-0! p-0!" />
      </tr>
    </tbody>
  );
}

/** Arrow keys move through the list while a message is open or the list has the focus. */
function useArrows(
  rows: MessageRow[],
  chosen: string | undefined,
  query: string,
  reveal: (index: number) => void,
): void {
  const router = useRouter();
  useEffect(() => {
    const go = (event: KeyboardEvent) => {
      const step = event.key === 'ArrowDown' ? 1 : event.key === 'ArrowUp' ? -1 : 0;
      const target = event.target as HTMLElement;
      if (step === 0 || event.altKey || event.ctrlKey || event.metaKey) return;
      if (target.closest('input, textarea, [role=menu], [role=dialog], [role=slider]')) return;
      const at = rows.findIndex((row) => row.id === chosen);
      const to = at === -1 ? 0 : at + step;
      const next = rows[to];
      if (!next) return;
      event.preventDefault();
      router.replace(`/messages/${next.id}${query}`, { scroll: false });
      reveal(to);
    };
    window.addEventListener('keydown', go);
    return () => window.removeEventListener('keydown', go);
  }, [rows, chosen, query, router, reveal]);
}

function NoMessage({ filtered, onClear }: { filtered: boolean; onClear: () => void }) {
  return (
    <div className="flex flex-1 items-center justify-center border-t border-line">
      {filtered ? (
        <Empty
          icon={<MessageSquareText />}
          {...texts.noMatch}
          action={<Button onClick={onClear}>{texts.noMatch.do}</Button>}
        />
      ) : (
        <Empty icon={<MessageSquareText />} {...texts.empty} href="/keys" />
      )}
    </div>
  );
}
