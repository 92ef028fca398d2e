import { useQuery } from '@tanstack/react-query';
import { Play, Trash2 } from 'lucide-react';
import { Button } from '#app/_components/ui/button.tsx';
import Link from '#app/_components/ui/link.tsx';
import { Time } from '#app/_components/ui/time.tsx';
import { lineWithReference } from '#app/_features/kinds/kind-labels.ts';
import { useTRPC } from '#app/_trpc/client.ts';
import { useFeedback } from '#app/_trpc/use-feedback.ts';
import { decide as texts } from './decide-words.ts';
import { NumberNote } from './number-note.tsx';
import type { NumberItem } from './number-sentence.ts';
import { useNumberActions } from './use-number.ts';
import { numbers } from './words.ts';

/**
 * Messages that waited when the number stopped sending: the owner decides whether to send them.
 * `lists` shows them, on a page without the number's queue.
 */
export function Decide({ number, lists = false }: { number: NumberItem; lists?: boolean }) {
  const { done } = useFeedback();
  const { decideWaited } = useNumberActions();
  const { toDecide: count, toDecideScheduled: scheduled } = number;
  const decide = (send: boolean) =>
    decideWaited.mutate(
      { numberId: number.id, send },
      {
        onSuccess: ({ decided }) =>
          done(send ? texts.sent(decided, Math.min(decided, scheduled)) : texts.discarded(decided)),
      },
    );
  return (
    <NumberNote
      tone="warn"
      title={texts.title(count)}
      action={
        <>
          <Button variant="primary" busy={decideWaited.isPending} onClick={() => decide(true)}>
            <Play />
            {texts.send(count, scheduled)}
          </Button>
          <Button variant="danger" busy={decideWaited.isPending} onClick={() => decide(false)}>
            <Trash2 />
            {texts.discard(count)}
          </Button>
        </>
      }
    >
      {texts.text(count)}
      {scheduled > 0 && ` ${(scheduled === count ? texts.scheduledOnly : texts.scheduled)(scheduled)}`}{' '}
      {texts.others}
      {lists && <Waited number={number} />}
    </NumberNote>
  );
}

const LISTED = 5;

/** The first of the messages that wait for their owner's decision. */
function Waited({ number }: { number: NumberItem }) {
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
      {number.toDecide > LISTED && <li className="text-ink-2">{texts.more(number.toDecide - LISTED)}</li>}
    </ul>
  );
}
