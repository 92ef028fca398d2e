import Link from '#app/_components/ui/link.tsx';
import { StatusIcon } from '#app/_components/ui/status-icon.tsx';
import { useNumbers } from '#app/_features/shell/use-numbers.ts';
import type { Outputs } from '#app/_trpc/client.ts';

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
};

/** For each number, its refused requests to send: to whom, why, and a link to exactly these. Loads on demand. */
export default function UnsentRows({ unsent }: Pick<Outputs['account']['overview'], 'unsent'>) {
  const numbers = useNumbers();
  return unsent.map(({ numberId, count, more, toTexts, others, reason }) => (
    <li key={numberId} className="border-line-soft hover:bg-hover [&+&]:border-t">
      <Link
        href={`/requests?show=unsent${numberId === null ? '' : `&number=${numberId}`}&period=day`}
        className="flex gap-2.5 px-4 py-3 text-13"
      >
        <StatusIcon shape="slash" tone="warn" className="mt-[3px]" />
        <span className="min-w-0 flex-1">
          <span className="flex flex-wrap justify-between gap-x-2">
            <b className="font-medium">{texts.title(count, more)}</b>
            <span className="text-12 text-ink-3">{texts.period}</span>
          </span>
          <span className="block truncate text-12 text-ink-2">
            {numbers.find(({ id }) => id === numberId)?.name ?? texts.removedNumber}
          </span>
          {toTexts.length > 0 && (
            <span className="block text-12 text-ink-2 tabular-nums [overflow-wrap:anywhere]">
              {texts.to(toTexts, others)}
            </span>
          )}
          {reason && <span className="block text-12 text-ink-2">{texts.answered(count, reason)}</span>}
          <span className="block text-12 text-ink-3">{texts.todo}</span>
        </span>
      </Link>
    </li>
  ));
}
