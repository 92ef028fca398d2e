import { useMutation } from '@tanstack/react-query';
import { Button } from '#app/_components/ui/button.tsx';
import Link from '#app/_components/ui/link.tsx';
import { StatusIcon } from '#app/_components/ui/status-icon.tsx';
import { useNumbers } from '#app/_features/shell/use-numbers.ts';
import { type Outputs, useTRPC } from '#app/_trpc/client.ts';
import { useFeedback } from '#app/_trpc/use-feedback.ts';

const texts = {
  title: (count: number, more: boolean) =>
    `${count.toLocaleString('en')}${more ? ' or more' : ''} ${count === 1 ? 'refused request' : 'refused requests'}`,
  period: 'Last 24 hours',
  removedNumber: 'Removed number',
  to: (to: string[], others: number) =>
    `To ${to.join(', ')}${others === 0 ? '' : ` and ${others.toLocaleString('en')} more`}`,
  answered: (count: number, answer: string) =>
    `${count === 1 ? 'It was answered' : 'The most frequent answer'}: “${answer}”`,
  todo: 'Nothing was sent, and Wirebird does not keep the text. If your program does not repeat such requests, send them again from there, or write to these people yourself.',
  dismiss: 'Dismiss',
  dismissOf: (number: string) => `Dismiss the refused requests of ${number}`,
};

type Unsent = Outputs['account']['overview']['unsent'];

interface Handling {
  onHandled: () => void;
}

/** For each number, its refused requests to send: to whom, why, and a link to them. */
export default function UnsentRows({ unsent, onHandled }: Handling & { unsent: Unsent }) {
  return unsent.map((row) => <Row key={row.numberId} row={row} onHandled={onHandled} />);
}

function Row({ row, onHandled }: Handling & { row: Unsent[number] }) {
  const { numberId, latestId, count, more, toTexts, others, reason } = row;
  const trpc = useTRPC();
  const { refresh, failed } = useFeedback();
  const name = useNumbers().find(({ id }) => id === numberId)?.name ?? texts.removedNumber;
  const dismiss = useMutation(
    trpc.requests.dismiss.mutationOptions({
      onSuccess: () => {
        onHandled();
        return refresh({ queryKey: trpc.account.overview.queryKey() });
      },
      onError: failed,
    }),
  );
  return (
    <li className="relative border-line-soft hover:bg-hover [&+&]:border-t">
      <Link
        href={`/requests?show=unsent${numberId === null ? '' : `&number=${numberId}`}&period=day`}
        className="flex gap-2.5 px-4 pt-3 text-13 before:absolute before:inset-0"
      >
        <StatusIcon shape="slash" tone="warn" className="mt-[3px]" />
        <span className="min-w-0 flex-1">
          <span className="flex flex-wrap justify-between gap-x-2">
            <b className="font-medium">{texts.title(count, more)}</b>
            <span className="text-12 text-ink-3">{texts.period}</span>
          </span>
          <span className="block truncate text-12 text-ink-2">{name}</span>
          {toTexts.length > 0 && (
            <span className="block text-12 text-ink-2 tabular-nums [overflow-wrap:anywhere]">
              {texts.to(toTexts, others)}
            </span>
          )}
          {reason && <span className="block text-12 text-ink-2">{texts.answered(count, reason)}</span>}
          <span className="block text-12 text-ink-3">{texts.todo}</span>
        </span>
      </Link>
      <div className="relative ml-auto w-fit px-2 pb-2">
        <Button
          variant="ghost"
          size="small"
          aria-label={texts.dismissOf(name)}
          busy={dismiss.isPending}
          onClick={() => dismiss.mutate({ numberId, latestId })}
        >
          {texts.dismiss}
        </Button>
      </div>
    </li>
  );
}
