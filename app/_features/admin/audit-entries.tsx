import { useInfiniteQuery } from '@tanstack/react-query';
import clsx from 'clsx';
import { Card } from '#app/_components/ui/card.tsx';
import { Failure } from '#app/_components/ui/failure.tsx';
import { MoreFoot } from '#app/_components/ui/more-foot.tsx';
import { SkeletonRows } from '#app/_components/ui/skeleton.tsx';
import { TableHead } from '#app/_components/ui/table-head.tsx';
import { Time } from '#app/_components/ui/time.tsx';
import { TimesIn } from '#app/_components/ui/times-in.tsx';
import { type Inputs, type Outputs, useTRPC } from '#app/_trpc/client.ts';
import { audit } from './audit-words.ts';

const texts = audit;
type Entry = Outputs['admin']['audit']['rows'][number];

/** The log of the installation, or of one account. */
export function AuditEntries({
  filter,
  narrowed = false,
}: {
  filter: Omit<Inputs['admin']['audit'], 'cursor'>;
  /** A filter is set, so an empty list does not mean an empty log. */
  narrowed?: boolean;
}) {
  const trpc = useTRPC();
  const query = useInfiniteQuery(
    trpc.admin.audit.infiniteQueryOptions(filter, {
      getNextPageParam: (page) => page.next,
    }),
  );
  const { data, error, refetch } = query;
  const rows = data?.pages.flatMap((page) => page.rows) ?? [];
  if (error && !data) return <Failure error={error} retry={refetch} />;
  return (
    <div className="flex flex-col gap-3">
      <Card>
        {!data && <SkeletonRows rows={8} />}
        {data && rows.length === 0 && (
          <p className="px-4 py-3.5 text-13 text-ink-2">{narrowed ? texts.noMatch : texts.empty}</p>
        )}
        {rows.length > 0 && <Table rows={rows} />}
        {rows.length > 0 && (
          <ul className="md:hidden">
            {rows.map((entry) => (
              <NarrowRow key={entry.id} entry={entry} />
            ))}
          </ul>
        )}
        <MoreFoot query={query} label={texts.more} />
      </Card>
      {rows.length > 0 && <TimesIn className="text-12 text-ink-3" />}
    </div>
  );
}

function Table({ rows }: { rows: Entry[] }) {
  const { columns } = texts;
  return (
    <table className="table max-md:hidden">
      <TableHead
        columns={[
          { title: columns.time, width: 150 },
          { title: columns.who, width: '22%' },
          { title: columns.what, width: 170 },
          { title: columns.on, width: '20%' },
          { title: columns.detail },
        ]}
      />
      <tbody>
        {rows.map((entry) => (
          <tr key={entry.id}>
            <td className="text-ink-2">
              <Time at={entry.at} />
            </td>
            <td
              className="whitespace-normal! [overflow-wrap:anywhere]"
              title={entry.address ? texts.from(entry.address) : undefined}
            >
              {whoOf(entry)}
            </td>
            <td className="whitespace-normal! font-medium">{texts.actions[entry.action] ?? entry.action}</td>
            <td
              className={clsx(
                'whitespace-normal! text-ink-2 [overflow-wrap:anywhere]',
                targetOf(entry) === entry.target && 'font-mono text-12',
              )}
              title={entry.target ?? undefined}
            >
              {targetOf(entry)}
            </td>
            <td className="whitespace-normal! text-ink-2 [overflow-wrap:anywhere]">
              {detailOf(entry.detail)}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function NarrowRow({ entry }: { entry: Entry }) {
  return (
    <li className="border-line-soft px-4 py-3 text-13 [&+&]:border-t">
      <span className="flex justify-between gap-2">
        <b className="font-medium">{texts.actions[entry.action] ?? entry.action}</b>
        <Time at={entry.at} seconds={false} className="shrink-0 text-12 text-ink-3" />
      </span>
      <span className="block truncate text-ink-2">
        {[whoOf(entry), targetOf(entry)].filter(Boolean).join(' · ')}
      </span>
      <span className="block text-12 text-ink-3 [overflow-wrap:anywhere]">{detailOf(entry.detail)}</span>
    </li>
  );
}

function whoOf(entry: Entry): string {
  if (entry.actor === 'cli') return texts.cli;
  if (entry.actor === 'key') return texts.key(entry.actorName ?? entry.actorId ?? '');
  if (entry.actor === 'system') return texts.system;
  return entry.actorEmail ?? texts.gone;
}

/** What was acted on. An invitation has no name. */
const targetOf = ({ target, targetName }: Entry) =>
  targetName ?? (target?.startsWith('inv_') ? texts.invitation : target);

/** The details of an entry that are worth showing; a count of 0 is not. */
export function detailOf(detail: Outputs['admin']['audit']['rows'][number]['detail']): string {
  return Object.entries(detail ?? {})
    .filter(([name, value]) => value !== null && value !== 0 && value !== false && name !== 'numberId')
    .map(([name, value]) => audit.detail[name]?.(value, detail ?? {}) ?? `${name} ${value}`)
    .filter((text) => text !== '')
    .join(', ');
}
