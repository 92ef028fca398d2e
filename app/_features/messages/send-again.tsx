import { RotateCw } from 'lucide-react';
import { useRouter } from 'next/navigation';
import { useEffect } from 'react';
import { Button } from '#app/_components/ui/button.tsx';
import { useReadOnly } from '#app/_components/ui/read-only.ts';
import { useCanSend, WhyNotSending } from '#app/_features/plan/can-send.tsx';
import type { Outputs } from '#app/_trpc/client.ts';
import { isCertainlyNotSent, isSettled } from '#server/core/message-state.ts';
import { useSendAgain } from './use-send-again.tsx';
import { messages } from './words.ts';

const texts = messages.again;
type Message = Outputs['messages']['get'];

/** Sends a message's content as a new message, after a warning. */
export function SendAgain({ message }: { message: Message }) {
  const router = useRouter();
  const { open, show, dialog } = useSendAgain(message, (messageId) =>
    router.push(`/messages/${messageId}`, { scroll: false }),
  );
  const readOnly = useReadOnly();
  const canSend = useCanSend();
  const possible = isSettled(message.status) && message.content !== null;
  useKey('r', possible && !open && !readOnly && canSend, show);
  if (!possible) return null;
  return (
    <div className="flex shrink-0 items-center gap-3 border-t border-line-soft px-5 py-3 max-sm:px-4">
      <Button changes disabled={!canSend} onClick={show}>
        <RotateCw />
        {texts.open}
      </Button>
      {canSend ? (
        <span className="min-w-0 flex-1 text-12 text-ink-3">{hintOf(message)}</span>
      ) : (
        <WhyNotSending />
      )}
      {dialog}
    </div>
  );
}

/** A keyboard shortcut that is off while the user is typing. */
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

/** What sending this message again means. */
export function hintOf(
  {
    status,
    keyId,
    withIdempotencyKey,
    sendAt,
  }: Pick<Message, 'status' | 'keyId' | 'withIdempotencyKey' | 'sendAt'>,
  now = new Date(),
): string {
  const notSent = isCertainlyNotSent(status);
  return [
    keyId === null ? texts.hint : texts.hintProgram,
    withIdempotencyKey && notSent && texts.orRepeat,
    keyId !== null && !withIdempotencyKey && notSent && texts.retries,
    status === 'unknown' && texts.unknown,
    status === 'sent' && texts.sent,
    (status === 'delivered' || status === 'read') && texts.arrived,
    sendAt !== null && (new Date(sendAt) > now ? texts.ahead : texts.scheduled),
  ]
    .filter(Boolean)
    .join(' ');
}
