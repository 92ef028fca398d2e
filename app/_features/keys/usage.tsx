import { useQuery } from '@tanstack/react-query';
import clsx from 'clsx';
import { useState } from 'react';
import { Card, Section } from '#app/_components/ui/card.tsx';
import { Failure } from '#app/_components/ui/failure.tsx';
import { Select } from '#app/_components/ui/select.tsx';
import { SkeletonRows } from '#app/_components/ui/skeleton.tsx';
import { TableHead } from '#app/_components/ui/table-head.tsx';
import { useNumbers } from '#app/_features/shell/use-numbers.ts';
import { useTRPC } from '#app/_trpc/client.ts';
import { keys } from './words.ts';

const texts = keys.usage;
const LOOK_MS = 10_000;
const COLUMNS = ['sent', 'failed', 'refused'] as const;
const dayText = new Intl.DateTimeFormat('en-GB', { weekday: 'short', day: 'numeric', month: 'short' });
const DAYS = 7;

/** Whose usage: all of it, or `number <id>`, or `key <id>`. */
type Of = 'all' | `number ${string}` | `key ${string}`;

interface DayUsage {
  /** `YYYY-MM-DD` */
  day: string;
  sent: number;
  failed: number;
  refused: number;
}

/** What each key and number did on each of the last 7 days. */
export function Usage() {
  const trpc = useTRPC();
  const numbers = useNumbers();
  const { data, error, refetch } = useQuery(
    trpc.requests.usage.queryOptions(undefined, { refetchInterval: LOOK_MS }),
  );
  const { data: listed } = useQuery(trpc.keys.list.queryOptions());
  const [of, setOf] = useState<Of>('all');
  return (
    <Section
      title={texts.title}
      aside={
        <Select
          compact
          aria-label={texts.of}
          value={of}
          onChange={setOf}
          options={[
            { value: 'all', label: texts.all },
            ...numbers.map(({ id, name }) => ({ value: `number ${id}` as Of, label: name })),
            ...(listed ?? []).map(({ id, name, hint }) => ({
              value: `key ${id}` as Of,
              label: texts.key(name || hint),
            })),
          ]}
        />
      }
    >
      <Failure error={error} retry={refetch} />
      {(data || !error) && (
        <Card>
          {data ? (
            <table className="table">
              <TableHead
                columns={[
                  { title: texts.day, width: '37%' },
                  ...COLUMNS.map((column) => ({ title: texts[column], right: true })),
                ]}
              />
              <tbody>
                {daysOf(data, of, new Date()).map((usage) => (
                  <tr key={usage.day}>
                    <td className="text-ink-2">{dayText.format(new Date(`${usage.day}T12:00:00`))}</td>
                    {COLUMNS.map((column) => (
                      <td
                        key={column}
                        className={clsx('text-right tabular-nums', usage[column] === 0 && 'text-ink-3')}
                      >
                        {usage[column].toLocaleString('en')}
                      </td>
                    ))}
                  </tr>
                ))}
              </tbody>
            </table>
          ) : (
            <SkeletonRows rows={7} />
          )}
        </Card>
      )}
    </Section>
  );
}

/** The last 7 days up to `now` in the account's zone, newest first; a day without usage has zeros. */
export function daysOf(
  {
    timeZone,
    rows,
  }: { timeZone: string; rows: readonly (DayUsage & { keyId: string | null; numberId: string | null })[] },
  of: Of,
  now: Date,
): DayUsage[] {
  const own = rows.filter(
    ({ keyId, numberId }) => of === 'all' || of === `number ${numberId}` || of === `key ${keyId}`,
  );
  // Swedish dates are ISO dates.
  const today = new Date(new Intl.DateTimeFormat('sv-SE', { timeZone }).format(now));
  return Array.from({ length: DAYS }, (_, ago) => {
    const day = new Date(today.getTime() - ago * 86_400_000).toISOString().slice(0, 10);
    const total = { day, sent: 0, failed: 0, refused: 0 };
    for (const row of own)
      if (row.day === day) {
        total.sent += row.sent;
        total.failed += row.failed;
        total.refused += row.refused;
      }
    return total;
  });
}
