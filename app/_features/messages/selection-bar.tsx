import { TRPCClientError } from '@trpc/client';
import { CircleX, RotateCw } from 'lucide-react';
import { useEffect, useRef } from 'react';
import { Button } from '#app/_components/ui/button.tsx';
import { Confirm } from '#app/_components/ui/confirm.tsx';
import { useCanSend, WhyNotSending } from '#app/_features/plan/can-send.tsx';
import { useTRPC, useTRPCClient } from '#app/_trpc/client.ts';
import { newAttempt } from '#app/_trpc/new-attempt.ts';
import { useFeedback } from '#app/_trpc/use-feedback.ts';
import { isAccepted, isCertainlyNotSent, isSettled } from '#server/core/message-state.ts';
import { selection as texts } from './selection-words.ts';
import { useMarkSentAgain } from './use-mark-sent-again.ts';
import type { MessageRow } from './use-messages.ts';

/** The actions for the selected messages. */
export default function SelectionBar({
  rows,
  full,
  onHandled,
}: {
  rows: MessageRow[];
  full: boolean;
  /** Takes messages out of the selection. */
  onHandled: (ids: string[]) => void;
}) {
  const client = useTRPCClient();
  const trpc = useTRPC();
  const { done, refresh } = useFeedback();
  const mark = useMarkSentAgain();
  // What was known of each message at its first attempt: after a lost response the next one repeats the request.
  const known = useRef(new Map<string, { attempt: string } | { sentAgainAs: string | null }>());
  const waiting = rows.filter(({ status }) => status === 'queued');
  const canSend = useCanSend();
  const again = rows.filter(({ status, preview }) => isSettled(status) && preview !== null);
  useEscape(() => onHandled(rows.map(({ id }) => id)));

  /** Acts on one row after another. Handled rows are deselected, so that a second attempt does not repeat them. */
  const each = async (of: MessageRow[], act: (row: MessageRow) => Promise<unknown>) => {
    const handled: string[] = [];
    try {
      for (const row of of) {
        await act(row);
        handled.push(row.id);
      }
    } finally {
      onHandled(handled);
    }
  };
  const cancel = async () => {
    let late = 0;
    await each(waiting, async ({ id: messageId, numberId }) => {
      await client.numbers.cancelWaiting.mutate({ numberId, messageId }).catch((error: unknown) => {
        if (!isLate(error)) throw error;
        late++;
      });
    });
    done(texts.cancelled(waiting.length - late), late > 0 ? texts.late(late) : undefined);
  };
  const sendAgain = async () => {
    let already = 0;
    await each(again, async ({ id: messageId, status, sentAgainAs }) => {
      // The list knows only of a message that was not sent whether it was sent again.
      const now = isAccepted(status) ? { attempt: newAttempt() } : { sentAgainAs };
      const first = known.current.get(messageId) ?? now;
      known.current.set(messageId, first);
      const repeat = await client.messages.sendAgain.mutate({ messageId, ...first });
      known.current.delete(messageId);
      if (repeat.already) already++;
      mark({ id: messageId, as: repeat.messageId });
      void refresh(trpc.messages.get.queryFilter({ messageId }));
    });
    done(texts.added(again.length - already), already > 0 ? texts.already(already) : undefined);
  };

  const maybe = again.filter(({ status }) => status === 'unknown').length;
  const once = again.filter(({ status }) => isCertainlyNotSent(status)).length;
  const twice = again.length - maybe - once;
  return (
    <section
      aria-label={texts.label}
      className="flex h-10 shrink-0 items-center gap-2 border-t border-line bg-raised px-5 text-13 max-md:h-auto max-md:flex-wrap max-md:px-4 max-md:py-2"
    >
      <span role="status" className="mr-2 font-medium tabular-nums">
        {texts.count(rows.length, full)}
      </span>
      {waiting.length > 0 && (
        <Confirm
          trigger={
            <Button size="small">
              <CircleX />
              {texts.cancel(waiting.length)}
            </Button>
          }
          {...texts.cancelDialog(waiting.length)}
          submit={texts.cancel(waiting.length)}
          onConfirm={cancel}
        />
      )}
      {again.length > 0 && (
        <Confirm
          trigger={
            <Button size="small" disabled={!canSend}>
              <RotateCw />
              {texts.again(again.length)}
            </Button>
          }
          title={texts.againTitle(again.length)}
          ends={[...(twice > 0 ? [texts.twice(twice)] : []), ...(maybe > 0 ? [texts.maybe(maybe)] : [])]}
          stays={once > 0 ? [texts.once(once)] : []}
          text={texts.againText}
          keep={texts.doNot}
          submit={texts.again(again.length)}
          onConfirm={sendAgain}
        />
      )}
      {again.length > 0 && !canSend && <WhyNotSending />}
      {waiting.length + again.length === 0 && <span className="text-ink-3">{texts.nothing}</span>}
      <span className="flex-1" />
      <Button size="small" variant="ghost" onClick={() => onHandled(rows.map(({ id }) => id))}>
        {texts.clear}
      </Button>
    </section>
  );
}

/** The message was sent, or is being sent, before it could be cancelled. */
const isLate = (error: unknown) =>
  error instanceof TRPCClientError && error.data?.appCode === 'already_exists';

function useEscape(act: () => void): void {
  useEffect(() => {
    const press = (event: KeyboardEvent) => {
      if (event.key === 'Escape' && !document.querySelector('[role=alertdialog], [role=menu], [role=dialog]'))
        act();
    };
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  }, [act]);
}
