import { useQuery } from '@tanstack/react-query';
import clsx from 'clsx';
import Link from '#app/_components/ui/link.tsx';
import { StatusIcon } from '#app/_components/ui/status-icon.tsx';
import { day } from '#app/_components/ui/time.tsx';
import { type Outputs, useTRPC } from '#app/_trpc/client.ts';
import { useMe } from './me.tsx';
import { shell } from './words.ts';

const texts = shell.plan;

export function usePlan() {
  const trpc = useTRPC();
  const { plan } = useMe();
  return useQuery(trpc.account.plan.queryOptions(undefined, { initialData: plan })).data;
}

/** The plan and its usage; prominent when sending stops. */
export function PlanBox() {
  const plan = usePlan();
  const working = plan.state === 'active' || plan.state === 'grace';
  return (
    <Link
      href="/account/plan"
      className="block rounded-3 border border-line bg-surface px-2.5 pt-2.5 pb-[11px] text-12 text-ink-2 hover:border-line-strong"
    >
      <div className="flex items-center justify-between">
        <span className="font-medium text-ink">{texts.title}</span>
        {working && (
          <span className="tabular-nums">{texts.used(plan.numbersUsed, plan.numbersIncluded)}</span>
        )}
      </div>
      {working && <PlanBar plan={plan} className="mt-[7px]" />}
      <PlanLine plan={plan} />
    </Link>
  );
}

/** How much of the plan is used. */
export function PlanBar({
  plan: { numbersUsed, numbersIncluded },
  className,
}: {
  plan: Outputs['account']['plan'];
  className: string;
}) {
  const share = numbersIncluded > 0 ? Math.min(1, numbersUsed / numbersIncluded) : 0;
  return (
    <span className={clsx('block h-1 overflow-hidden rounded-1 bg-mute-bg', className)}>
      <span
        className={clsx(
          'block h-full rounded-1',
          numbersUsed > numbersIncluded ? 'tone-warn bg-tone-solid' : 'bg-brand-solid',
        )}
        style={{ width: `${share * 100}%` }}
      />
    </span>
  );
}

function PlanLine({ plan }: { plan: Outputs['account']['plan'] }) {
  if (plan.suspended) return <Warning text={texts.suspended} />;
  const until = plan.paidUntil ? day(plan.paidUntil) : '';
  const ends = plan.ends ?? '';
  switch (plan.state) {
    case 'active':
      return plan.numbersUsed > plan.numbersIncluded ? (
        <Warning text={texts.excess(plan.numbersUsed - plan.numbersIncluded)} />
      ) : (
        <div className="mt-[7px]">{texts.paidUntil(until)}</div>
      );
    case 'grace':
      return <Warning text={texts.grace(ends)} />;
    case 'expired':
      return <Warning text={texts.ended(ends)} />;
    case 'ended':
      return <Warning text={texts.endedByHand} />;
    case 'none':
      return (
        <div className="mt-1">
          {plan.trial ? texts.trial(plan.trial.messagesLeft) : `${texts.none}. ${texts.noneHelp(plan.price)}`}
        </div>
      );
    default:
      return plan.state satisfies never;
  }
}

function Warning({ text }: { text: string }) {
  return (
    <div className="tone-warn mt-[7px] flex gap-1.5 text-tone-fg">
      <StatusIcon shape="warning" className="mt-px" />
      <span>{text}</span>
    </div>
  );
}
