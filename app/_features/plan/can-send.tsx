import clsx from 'clsx';
import Link from '#app/_components/ui/link.tsx';
import { usePlan } from '#app/_features/shell/plan-box.tsx';
import { whyNothingIsSent } from './plan-sentence.ts';
import { sendsNow } from './sends-now.ts';
import { planStates } from './state-words.ts';

/** Whether the account can send now, also in a trial. */
export const useCanSend = (): boolean => sendsNow(usePlan());

/** Why the account can send nothing now, beside buttons that this disables, with a link to the plan. */
export function WhyNotSending({ className }: { className?: string }) {
  return (
    <p className={clsx('text-12 text-ink-2', className)}>
      {whyNothingIsSent(usePlan())}{' '}
      <Link href="/account/plan" className="font-medium text-brand-fg hover:underline">
        {planStates.open}
      </Link>
    </p>
  );
}
