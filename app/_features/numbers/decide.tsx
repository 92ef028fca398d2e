'use client';

import { Play, Trash2 } from 'lucide-react';
import { lazy, Suspense } from 'react';
import { Button } from '#app/_components/ui/button.tsx';
import { useFeedback } from '#app/_trpc/use-feedback.ts';
import { NumberNote } from './number-note.tsx';
import type { NumberItem } from './number-sentence.ts';
import { useNumberActions } from './use-number.ts';
import { numbers } from './words.ts';

const texts = numbers.stateNotes;

const Waited = lazy(() => import('./waited.tsx'));

/**
 * Messages that waited when the number stopped sending: the owner decides whether to send them. Loads on demand.
 * `lists` shows them, on a page without the number's queue.
 */
export default function Decide({ number, lists = false }: { number: NumberItem; lists?: boolean }) {
  const { done } = useFeedback();
  const { decideWaited } = useNumberActions();
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
        ` ${(scheduled === count ? texts.decide.scheduledOnly : texts.decide.scheduled)(scheduled)}`}{' '}
      {texts.decide.others}
      {lists && (
        <Suspense fallback={null}>
          <Waited number={number} />
        </Suspense>
      )}
    </NumberNote>
  );
}
