import Link from '#app/_components/ui/link.tsx';
import { StatusIcon } from '#app/_components/ui/status-icon.tsx';
import { planEnding } from '#app/_features/plan/plan-ending.ts';
import { HOW_TO_PAY } from '#app/_features/plan/state-words.ts';
import { usePlan } from '#app/_features/shell/plan-box.tsx';

/** The warning of the last days before a plan ends, which is also mailed. Loads on demand. */
export default function PlanEnds() {
  const { ends } = usePlan();
  if (ends === null) return null;
  return (
    <p className="tone-warn flex items-start gap-2 text-13">
      <StatusIcon shape="clock" className="mt-[3px]" />
      <span>
        {planEnding(ends)}{' '}
        <Link href="/account/plan" className="font-medium text-brand-fg hover:underline">
          {HOW_TO_PAY}
        </Link>
      </span>
    </p>
  );
}
