import clsx from 'clsx';
import Link from '#app/_components/ui/link.tsx';
import { usePlan } from '#app/_features/shell/plan-box.tsx';
import { whyNothingIsSent } from './plan-sentence.ts';
import { planStates } from './state-words.ts';

export default function PlanRefusal({ className }: { className?: string | undefined }) {
  return (
    <p className={clsx('text-12 text-ink-2', className)}>
      {whyNothingIsSent(usePlan())}{' '}
      <Link href="/account/plan" className="font-medium text-brand-fg hover:underline">
        {planStates.open}
      </Link>
    </p>
  );
}
