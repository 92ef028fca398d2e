'use client';

import clsx from 'clsx';
import Link from '#app/_components/ui/link.tsx';
import { usePlan } from '#app/_features/shell/plan-box.tsx';
import { whyNothingIsSent } from './plan-sentence.ts';
import { planStates } from './state-words.ts';

/** Why the account can send nothing now; null if it can. */
export function usePlanRefusal(): string | null {
  return whyNothingIsSent(usePlan());
}

/** The reason beside buttons that it disables, with a link to the plan. */
export function PlanRefusal({ reason, className }: { reason: string; className?: string }) {
  return (
    <p className={clsx('text-12 text-ink-2', className)}>
      {reason}{' '}
      <Link href="/account/plan" className="font-medium text-brand-fg hover:underline">
        {planStates.open}
      </Link>
    </p>
  );
}
