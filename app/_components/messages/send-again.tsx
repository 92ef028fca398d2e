'use client';

import { useMutation } from '@tanstack/react-query';
import { RotateCw } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useEffect, useState } from 'react';
import { Button } from '#app/_components/ui/button.tsx';
import { Dialog } from '#app/_components/ui/dialog.tsx';
import { Note } from '#app/_components/ui/note.tsx';
import { useReadOnly } from '#app/_components/ui/read-only.ts';
import { useToast } from '#app/_components/ui/toast.tsx';
import { common } from '#app/_texts/common.ts';
import { messages } from '#app/_texts/messages.ts';
import { type Outputs, useTRPC } from '#app/_trpc/client.ts';
import { sentenceOf } from '#app/_trpc/provider.tsx';
import { isCertainlyNotSent, isSettled } from '#server/core/message-state.ts';

const texts = messages.again;
type Message = Outputs['messages']['get'];

/** Sends what a message said as a new one, after saying what that can mean. */
export function SendAgain({ message }: { message: Message }) {
  const trpc = useTRPC();
  const router = useRouter();
  const toast = useToast();
  const [open, setOpen] = useState(false);
  const again = useMutation(
    trpc.messages.sendAgain.mutationOptions({
      onSuccess: ({ messageId }) => {
        setOpen(false);
        toast({ tone: 'ok', title: texts.done });
        router.push(`/messages/${messageId}`, { scroll: false });
      },
    }),
  );
  const readOnly = useReadOnly();
  const possible = isSettled(message.status) && message.content !== null;
  const show = (next: boolean) => {
    if (next) again.reset();
    setOpen(next);
  };
  useKey('r', possible && !open && !readOnly, () => show(true));
  if (!possible) return null;
  return (
    <div className="flex shrink-0 items-center gap-3 border-t border-line-soft px-5 py-3 max-sm:px-4">
      <Button changes onClick={() => show(true)}>
        <RotateCw />
        {texts.open}
      </Button>
      <span className="text-12 text-ink-3">{texts.hint}</span>
      <Dialog
        open={open}
        onOpenChange={show}
        title={texts.title(message.toText)}
        description={texts.text}
        footer={
          <>
            <Button onClick={() => setOpen(false)}>{common.cancel}</Button>
            <Button
              variant="primary"
              busy={again.isPending}
              onClick={() => again.mutate({ messageId: message.id })}
            >
              {message.status === 'unknown' ? texts.submitUnknown : texts.submit}
            </Button>
          </>
        }
      >
        <div className="flex flex-col gap-3">
          <Warning message={message} />
          {again.error && (
            <Note tone="fail" assertive>
              {sentenceOf(again.error)}
            </Note>
          )}
        </div>
      </Dialog>
    </div>
  );
}

/** What the recipient may get. */
function Warning({ message: { status } }: { message: Message }) {
  if (status === 'unknown')
    return (
      <Note tone="warn" title={texts.unknownTitle}>
        {texts.unknown}
      </Note>
    );
  if (isCertainlyNotSent(status)) return <Note tone="ok">{texts.notSent}</Note>;
  return (
    <Note tone="warn" title={texts.sentTitle}>
      {texts.sent}
    </Note>
  );
}

/** A letter that does something while nobody is typing. */
function useKey(key: string, active: boolean, act: () => void): void {
  useEffect(() => {
    if (!active) return;
    const press = (event: KeyboardEvent) => {
      const target = event.target as HTMLElement;
      if (event.key !== key || event.altKey || event.ctrlKey || event.metaKey) return;
      if (target.closest('input, textarea, select, [role=menu], [role=dialog]')) return;
      event.preventDefault();
      act();
    };
    window.addEventListener('keydown', press);
    return () => window.removeEventListener('keydown', press);
  });
}
