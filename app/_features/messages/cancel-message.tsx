import { useMutation } from '@tanstack/react-query';
import { CircleX } from 'lucide-react';
import { Button } from '#app/_components/ui/button.tsx';
import { Confirm } from '#app/_components/ui/confirm.tsx';
import { type Outputs, useTRPC } from '#app/_trpc/client.ts';
import { useFeedback } from '#app/_trpc/use-feedback.ts';
import { selection } from './selection-words.ts';

const label = 'Cancel message';

/** Cancels a message that waits. */
export function CancelMessage({ message }: { message: Outputs['messages']['get'] }) {
  const { id: messageId, numberId } = message;
  const trpc = useTRPC();
  const { refresh } = useFeedback();
  const cancel = useMutation(
    trpc.numbers.cancelWaiting.mutationOptions({
      // Also when it was refused, because the message has left meanwhile.
      onSettled: () => refresh(trpc.messages.get.queryFilter({ messageId })),
    }),
  );
  return (
    <div className="shrink-0 border-t border-line-soft px-5 py-3 max-sm:px-4">
      <Confirm
        trigger={
          <Button changes>
            <CircleX />
            {label}
          </Button>
        }
        {...selection.cancelDialog(1)}
        submit={label}
        onConfirm={() => cancel.mutateAsync({ numberId, messageId })}
        done={selection.cancelled(1)}
      />
    </div>
  );
}
