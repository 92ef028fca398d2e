import { Play, Trash2 } from 'lucide-react';
import { Button } from '#app/_components/ui/button.tsx';
import { lazyPart } from '#app/_components/ui/lazy-part.tsx';
import { useFeedback } from '#app/_trpc/use-feedback.ts';
import { decide as texts } from './decide-words.ts';
import { NumberNote } from './number-note.tsx';
import type { NumberItem } from './number-sentence.ts';
import { useNumberActions } from './use-number.ts';

const Waited = lazyPart(() => import('./waited.tsx'));

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
