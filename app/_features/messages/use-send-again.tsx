import { useMutation } from '@tanstack/react-query';
import { type ReactNode, useState } from 'react';
import { Button } from '#app/_components/ui/button.tsx';
import { Dialog } from '#app/_components/ui/dialog.tsx';
import { Failure } from '#app/_components/ui/failure.tsx';
import { Note } from '#app/_components/ui/note.tsx';
import { useStillWaiting } from '#app/_components/ui/still-waiting.tsx';
import { common } from '#app/_components/ui/words.ts';
import { type Outputs, useTRPC } from '#app/_trpc/client.ts';
import { useFeedback } from '#app/_trpc/use-feedback.ts';
import { isCertainlyNotSent } from '#server/core/message-state.ts';
import { sendAgain as texts } from './send-again-words.ts';
import { useMarkSentAgain } from './use-mark-sent-again.ts';
import { messages } from './words.ts';

/** What is known about the message that is sent again. */
type EarlierMessage = Pick<Outputs['messages']['get'], 'id' | 'toText' | 'status' | 'sendAt'> & {
  sentAgainAs?: string[];
};

/** The question whether a message is sent again. It opens with `show`; `dialog` belongs on the page. */
export function useSendAgain(
  message: EarlierMessage,
  onSent: (messageId: string) => void,
): { open: boolean; show: () => void; dialog: ReactNode } {
  const [open, setOpen] = useState(false);
  return {
    open,
    show: () => setOpen(true),
    dialog: open && <SendAgainDialog message={message} onClose={() => setOpen(false)} onSent={onSent} />,
  };
}

/** Explains what sending again can mean, and sends. */
function SendAgainDialog({
  message,
  onClose,
  onSent,
}: {
  message: EarlierMessage;
  onClose: () => void;
  /** The new message waits. */
  onSent: (messageId: string) => void;
}) {
  const trpc = useTRPC();
  const { done, refresh } = useFeedback();
  const mark = useMarkSentAgain();
  const sending = useMutation(
    trpc.messages.sendAgain.mutationOptions({
      onSuccess: ({ messageId, already }, { atItsTime }) => {
        onClose();
        done(already ? texts.already : atItsTime ? texts.doneScheduled : texts.done);
        void refresh(trpc.messages.get.queryFilter({ messageId: message.id }));
        mark({ id: message.id, as: messageId });
        onSent(messageId);
      },
    }),
  );
  // As it was at the opening: after a lost response the page knows of the new message, and it is still this one.
  const [seen] = useState(message.sentAgainAs?.[0] ?? null);
  const { sendAt } = message;
  const ahead = sendAt !== null && new Date(sendAt) > new Date();
  const send = (atItsTime: boolean) =>
    sending.mutate({ messageId: message.id, sentAgainAs: seen, atItsTime });
  const { close, note } = useStillWaiting(sending.isPending, onClose);
  const now = message.status === 'unknown' ? texts.submitUnknown : texts.submit;
  return (
    <Dialog
      onClose={close}
      title={texts.title(message.toText)}
      text={ahead ? texts.textAhead : texts.text}
      footer={
        <>
          <Button onClick={close}>{common.cancel}</Button>
          <Button variant={ahead ? 'plain' : 'primary'} busy={sending.isPending} onClick={() => send(false)}>
            {ahead ? texts.submitNow : now}
          </Button>
          {ahead && (
            <Button variant="primary" busy={sending.isPending} onClick={() => send(true)}>
              {texts.submitScheduled}
            </Button>
          )}
        </>
      }
    >
      <div className="flex flex-col gap-3">
        <Warning message={message} />
        {sendAt && (
          <Note tone="warn" title={ahead ? texts.aheadTitle : texts.scheduledTitle}>
            {texts.scheduled(sendAt)}
          </Note>
        )}
        <Failure error={sending.error} assertive />
        {note}
      </div>
    </Dialog>
  );
}

function Warning({ message: { status } }: { message: EarlierMessage }) {
  if (status === 'unknown')
    return (
      <Note tone="warn" title={texts.unknownTitle}>
        {texts.unknown}
      </Note>
    );
  if (isCertainlyNotSent(status)) return <Note tone="ok">{texts.notSent}</Note>;
  return (
    <Note tone="warn" title={texts.sentTitle}>
      {status === 'sent' ? texts.sent : messages.again.arrived}
    </Note>
  );
}
