'use client';

import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { Plus, QrCode } from 'lucide-react';
import { Button } from '#app/_components/ui/button.tsx';
import { ButtonLink } from '#app/_components/ui/button-link.tsx';
import { Card } from '#app/_components/ui/card.tsx';
import { Failure } from '#app/_components/ui/failure.tsx';
import { lazyPart } from '#app/_components/ui/lazy-part.tsx';
import Link from '#app/_components/ui/link.tsx';
import { Skeleton } from '#app/_components/ui/skeleton.tsx';
import { StatusIcon } from '#app/_components/ui/status-icon.tsx';
import { common } from '#app/_components/ui/words.ts';
import { asksToDecide, isLinkable, type NumberItem } from '#app/_features/numbers/number-sentence.ts';
import { planEnding } from '#app/_features/plan/plan-ending.ts';
import { planSentence } from '#app/_features/plan/plan-sentence.ts';
import { PlanStopped } from '#app/_features/plan/plan-stopped.tsx';
import { HOW_TO_PAY } from '#app/_features/plan/state-words.ts';
import { PageHead } from '#app/_features/shell/page.tsx';
import { usePlan } from '#app/_features/shell/plan-box.tsx';
import { useNumbers } from '#app/_features/shell/use-numbers.ts';
import { useTRPC } from '#app/_trpc/client.ts';
import { planWorks as worksBy } from '#server/core/access.ts';
import { needsSomebody } from '#server/core/number-sign.ts';
import { ActivityChart } from './activity-chart.tsx';
import { Checklist } from './checklist.tsx';
import { stepsLeftOf, useSteps } from './steps.ts';
import { TodayTable } from './today-table.tsx';
import { Troubles } from './troubles.tsx';
import { verdictOf } from './verdict.ts';
import { overview as texts } from './words.ts';

const PlanLoss = lazyPart(() => import('#app/_features/plan/plan-loss.tsx'));
/** The figures are polled in addition to the stream. */
const COUNT_MS = 60_000;

function useOverview() {
  const trpc = useTRPC();
  return useQuery(
    trpc.account.overview.queryOptions(undefined, {
      refetchInterval: COUNT_MS,
      placeholderData: keepPreviousData,
    }),
  );
}

/** For a button with a number's name: a long one is cut instead of widening the page. */
const FITS = 'min-w-0 max-w-[360px] max-sm:max-w-full';

/** Whether everything is all right, and the next step to the first message. */
export function Overview() {
  const query = useOverview();
  const numbers = useNumbers();
  if (query.data) return <Figures data={query.data} />;
  if (query.error) return <Failure error={query.error} retry={query.refetch} />;
  return <OverviewSkeleton numbers={numbers.length} />;
}

function Figures({ data }: { data: NonNullable<ReturnType<typeof useOverview>['data']> }) {
  const plan = usePlan();
  const numbers = useNumbers();
  const steps = useSteps(data);
  const stepsLeft = stepsLeftOf(steps, data.progress.sent);
  const planWorks = worksBy(plan.state) && !plan.suspended;
  const planEnded = !planWorks && plan.state !== 'none';
  const verdict = verdictOf({
    numbers,
    stepsLeft,
    planWorks,
    planEnded: planEnded
      ? `${planSentence(plan).title}. ${plan.suspended ? texts.verdict.suspendedLead : texts.verdict.planLead}`
      : null,
    trialLeft: plan.trial?.messagesLeft ?? null,
    planRequested: data.progress.planRequested,
    today: {
      failed: sum(data.numbers.map(({ failed }) => failed)),
      unknown: sum(data.numbers.map(({ unknown }) => unknown)),
      expired: sum(data.numbers.map(({ expired }) => expired)),
      cancelled: sum(data.numbers.map(({ cancelled }) => cancelled)),
      refused: sum(data.refused.map(({ count }) => count)),
    },
    sentAgain: data.sentAgain,
  });
  const excess = numbers.some(({ access }) => access === 'excess');
  const broken = numbers.find((number) => number.access !== 'excess' && needsSomebody(number));
  const waits = numbers.find(asksToDecide) ?? numbers.find(({ held, waiting }) => held && waiting > 0);
  const sorted = [...numbers].sort((a, b) => Number(needsSomebody(b)) - Number(needsSomebody(a)));
  return (
    <>
      <PageHead
        verdict
        title={verdict.title}
        lead={verdict.lead}
        actions={
          <NextAction
            planWorks={planWorks}
            broken={broken}
            waits={waits}
            begins={!planEnded && stepsLeft !== 0}
            excess={excess}
            asksPlan={plan.trial !== null && !data.progress.planRequested}
          />
        }
      />
      {plan.state === 'grace' && planWorks && <PlanStopped />}
      {planWorks && plan.endsSoon && <PlanEnds />}
      {data.planLoss && <PlanLoss loss={data.planLoss} />}
      {!planEnded && !data.progress.sent && <Checklist steps={steps} />}
      {numbers.length > 0 && <TodayTable numbers={sorted} data={data} />}
      {(data.progress.sent || data.troubles.length + data.unsent.length > 0) && (
        <div className="grid grid-cols-1 items-start gap-4 lg:grid-cols-[minmax(0,1.9fr)_minmax(0,1fr)]">
          <ActivityChart numbers={numbers} mixed={isMixed(numbers)} />
          <Troubles troubles={data.troubles} unsent={data.unsent} handled={data.handled} />
        </div>
      )}
      {!planEnded && data.progress.sent && (
        <Checklist steps={steps} quiet={broken !== undefined || data.troubles.length > 0} />
      )}
    </>
  );
}

const sum = (counts: number[]): number => counts.reduce((total, count) => total + count, 0);

/** The action for the verdict; if nothing is wrong, the most likely next one. */
function NextAction({
  planWorks,
  broken,
  waits,
  begins,
  excess,
  asksPlan,
}: {
  planWorks: boolean;
  broken: NumberItem | undefined;
  /** A number with messages that wait for the owner's decision. */
  waits: NumberItem | undefined;
  /** The next step is in the list. */
  begins: boolean;
  excess: boolean;
  /** Nothing was requested yet. */
  asksPlan: boolean;
}) {
  if (planWorks && broken)
    return (
      <Button variant="primary" asChild className={FITS}>
        {isLinkable(broken) ? (
          <Link href={`/numbers/${broken.id}/link`}>
            <QrCode />
            <span className="truncate">{texts.linkAgain(broken.name)}</span>
          </Link>
        ) : (
          <Link href={`/numbers/${broken.id}`}>
            <span className="truncate">{texts.openNumber(broken.name)}</span>
          </Link>
        )}
      </Button>
    );
  if (begins) return null;
  if (!planWorks || (excess && !(waits && asksToDecide(waits))))
    return (
      <ButtonLink variant="primary" href="/account/plan">
        {asksPlan ? texts.verdict.askPlan : texts.verdict.openPlan}
      </ButtonLink>
    );
  if (waits)
    return (
      <ButtonLink variant="primary" href={`/numbers/${waits.id}`} className={FITS}>
        <span className="truncate">{texts.openNumber(waits.name)}</span>
      </ButtonLink>
    );
  return (
    <ButtonLink href="/numbers/new">
      <Plus />
      {texts.addNumber}
    </ButtonLink>
  );
}

/** Does the account have numbers of both networks? Then the month leaves out the sandbox. */
function isMixed(numbers: NumberItem[]): boolean {
  return (
    numbers.some((number) => number.network === 'sandbox') &&
    numbers.some((number) => number.network === 'whatsapp' && number.phoneNumber !== null)
  );
}

/** The warning of the last days before a plan ends, which is also mailed. */
function PlanEnds() {
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

/** The overview while its figures are counted: a row for each number, which are already known. */
function OverviewSkeleton({ numbers }: { numbers: number }) {
  return (
    <div role="status" aria-busy="true" aria-label={common.loading} className="flex flex-col gap-7">
      <div>
        <Skeleton className="h-8 w-[280px] max-w-full" />
        <Skeleton className="mt-2 h-4 w-[420px] max-w-full" />
      </div>
      <Card className="flex flex-col gap-6 p-4">
        {Array.from({ length: numbers + 1 }, (_, row) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: all rows are alike
          <Skeleton key={row} className="h-8 w-full" />
        ))}
      </Card>
      <Skeleton className="h-[300px] w-full" />
    </div>
  );
}
