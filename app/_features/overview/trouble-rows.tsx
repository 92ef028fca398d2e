import { useMutation } from '@tanstack/react-query';
import { Button } from '#app/_components/ui/button.tsx';
import Link from '#app/_components/ui/link.tsx';
import { MESSAGE_NAMES } from '#app/_components/ui/state-words.ts';
import { MESSAGE_SIGNS } from '#app/_components/ui/states.tsx';
import { StatusIcon } from '#app/_components/ui/status-icon.tsx';
import { Time } from '#app/_components/ui/time.tsx';
import { isQuiet } from '#app/_features/messages/is-quiet.ts';
import { UNSENT_TEXTS } from '#app/_features/messages/unsent-texts.ts';
import { useSendAgain } from '#app/_features/messages/use-send-again.tsx';
import { type Outputs, useTRPC } from '#app/_trpc/client.ts';
import { useFeedback } from '#app/_trpc/use-feedback.ts';

const texts = {
  scheduled: 'Was scheduled for',
  again: 'Send again',
  dismiss: 'Dismiss',
  dismissOf: (to: string) => `Dismiss the message to ${to}`,
};

type Trouble = Outputs['account']['overview']['troubles'][number];

interface Handling {
  /** Nothing can be sent now. */
  refused: boolean;
  onHandled: () => void;
}

/** The messages that need attention. */
export default function TroubleRows({ troubles, ...handling }: Handling & { troubles: Trouble[] }) {
  return troubles.map((message) => <Row key={message.id} message={message} {...handling} />);
}

function Row({ message, refused, onHandled }: Handling & { message: Trouble }) {
  const trpc = useTRPC();
  const { refresh, failed } = useFeedback();
  const leave = () => {
    onHandled();
    return refresh({ queryKey: trpc.account.overview.queryKey() });
  };
  const dismiss = useMutation(trpc.messages.dismiss.mutationOptions({ onSuccess: leave, onError: failed }));
  const again = useSendAgain(message, leave);
  const { id, status, toText } = message;
  return (
    <li className="relative border-line-soft hover:bg-hover [li+&]:border-t">
      <Link
        href={`/messages/${id}`}
        className="flex gap-2.5 px-4 pt-3 text-13 before:absolute before:inset-0"
      >
        <StatusIcon {...MESSAGE_SIGNS[status]} className="mt-[3px]" />
        <span className="min-w-0 flex-1">
          <span className="flex justify-between gap-2">
            <b className="truncate font-medium">{MESSAGE_NAMES[status]}</b>
            <Time at={message.at} seconds={false} dated className="shrink-0 text-12 text-ink-3" />
          </span>
          <span className="block truncate text-12 text-ink-2 tabular-nums">{toText}</span>
          <span className="block truncate text-12 text-ink-2">
            {[message.reference, message.preview].filter((part) => part !== null).join(' · ')}
          </span>
          {message.sendAt !== null && (
            <span className="block text-12 text-ink-2">
              {texts.scheduled} <Time at={message.sendAt} seconds={false} dated />
            </span>
          )}
          <span className="block text-12 text-ink-3">
            {message.error ?? (isQuiet(status) ? null : UNSENT_TEXTS[status])}
          </span>
        </span>
      </Link>
      <div className="relative ml-auto flex w-fit gap-1 px-2 pb-2">
        {message.preview !== null && (
          <Button
            changes
            disabled={refused}
            variant="ghost"
            size="small"
            aria-label={`${texts.again} to ${toText}`}
            onClick={again.show}
          >
            {texts.again}
          </Button>
        )}
        <Button
          variant="ghost"
          size="small"
          aria-label={texts.dismissOf(toText)}
          busy={dismiss.isPending}
          onClick={() => dismiss.mutate({ messageId: id })}
        >
          {texts.dismiss}
        </Button>
      </div>
      {again.dialog}
    </li>
  );
}
