import { lazyPart } from '#app/_components/ui/lazy-part.tsx';
import { usePlan } from '#app/_features/shell/plan-box.tsx';
import { sendsNow } from './sends-now.ts';

// Few accounts have a plan that does not work.
const PlanRefusal = lazyPart(() => import('./plan-refusal.tsx'));

/** Whether the account can send now, also in a trial. */
export const useCanSend = (): boolean => sendsNow(usePlan());

/** Why the account can send nothing now, beside buttons that this disables, with a link to the plan. */
export function WhyNotSending({ className }: { className?: string }) {
  return <PlanRefusal className={className} />;
}
