'use client';

import { useQuery } from '@tanstack/react-query';
import { Play, Trash2 } from 'lucide-react';
import { Button } from '#app/_components/ui/button.tsx';
import Link from '#app/_components/ui/link.tsx';
import { Time } from '#app/_components/ui/time.tsx';
import { lineWithReference } from '#app/_features/kinds/kind-labels.ts';
import { useTRPC } from '#app/_trpc/client.ts';
import { useFeedback } from '#app/_trpc/use-feedback.ts';
import { NumberNote } from './number-note.tsx';
import { asksToDecide, type NumberItem } from './number-sentence.ts';
import { useNumberActions } from './use-number.ts';
import { numbers } from './words.ts';

const texts = numbers.stateNotes;

const LISTED = 5;

/**
 * Messages that waited when the number lost its link or was suspended: the owner decides whether to send them.
 * `lists` shows them, on a page without the number's queue.
 */
export function Decide({ number, lists = false }: { number: NumberItem; lists?: boolean }) {
  const { done } = useFeedback();
  const { decideWaited } = useNumberActions();
  if (!asksToDecide(number)) return null;
  const { toDecide: count, toDecideScheduled: scheduled } = number;
  const decide = (send: boolean) =>
    decideWaited.mutate(
      { numberId: number.id, send },
      {
        onSuccess: ({ decided }) =>
          done(
            send ? texts.decide.sent(decided, Math.min(decided, scheduled)) : texts.decide.discarded(decided),
          ),
      },
    );
  return (
    <NumberNote
      tone="warn"
      title={texts.decide.title(count)}
      action={
        <>
          <Button variant="primary" busy={decideWaited.isPending} onClick={() => decide(true)}>
            <Play />
            {texts.decide.send(count, scheduled)}
          </Button>
          <Button variant="danger" busy={decideWaited.isPending} onClick={() => decide(false)}>
            <Trash2 />
            {texts.decide.discard}
          </Button>
        </>
      }
    >
      {texts.decide.text(count)}
      {scheduled > 0 &&
        ` ${(scheduled === count ? texts.decide.scheduledOnly : texts.decide.scheduled)(scheduled)}`}
      {lists && <Waited number={number} />}
    </NumberNote>
  );
}

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
      {number.toDecide > LISTED && (
        <li className="text-ink-2">{texts.decide.more(number.toDecide - LISTED)}</li>
      )}
    </ul>
  );
}
