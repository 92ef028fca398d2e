import { useQuery } from '@tanstack/react-query';
import Link from '#app/_components/ui/link.tsx';
import { Time } from '#app/_components/ui/time.tsx';
import { lineWithReference } from '#app/_features/kinds/kind-labels.ts';
import { useTRPC } from '#app/_trpc/client.ts';
import { decide } from './decide-words.ts';
import type { NumberItem } from './number-sentence.ts';
import { numbers } from './words.ts';

const LISTED = 5;

/** The first of the messages that wait for their owner's decision. */
export default function Waited({ number }: { number: NumberItem }) {
  const trpc = useTRPC();
  const { data = [] } = useQuery(trpc.numbers.queue.queryOptions({ numberId: number.id }));
  const rows = data.filter(({ setAside }) => setAside);
  return (
    <ul className="mt-2 text-13 tabular-nums">
      {rows.slice(0, LISTED).map((row) => (
        <li key={row.id} className="flex flex-wrap gap-x-2.5">
          <Link href={`/messages/${row.id}`} prefetch={false} className="font-medium hover:underline">
            {row.toText}
          </Link>
          {row.scheduled && row.sendAt && (
            <span>
              {numbers.queueCard.scheduledFor} <Time at={row.sendAt} seconds={false} />
            </span>
          )}
          <span className="min-w-0 truncate text-ink-2">{lineWithReference(row)}</span>
        </li>
      ))}
      {number.toDecide > LISTED && <li className="text-ink-2">{decide.more(number.toDecide - LISTED)}</li>}
    </ul>
  );
}
