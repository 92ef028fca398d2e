'use client';

import { useQuery } from '@tanstack/react-query';
import { Card, Section } from '#app/_components/ui/card.tsx';
import { DescriptionList } from '#app/_components/ui/description-list.tsx';
import { Failure } from '#app/_components/ui/failure.tsx';
import { Note } from '#app/_components/ui/note.tsx';
import { SkeletonRows } from '#app/_components/ui/skeleton.tsx';
import { day } from '#app/_components/ui/time.tsx';
import { AccountTabs } from '#app/_features/account/account-tabs.tsx';
import { PlanBadge } from '#app/_features/admin/plan-badge.tsx';
import { useMe } from '#app/_features/shell/me.tsx';
import { PageHead } from '#app/_features/shell/page.tsx';
import { PlanBar, usePlan } from '#app/_features/shell/plan-box.tsx';
import { type Outputs, useTRPC } from '#app/_trpc/client.ts';
import { KeepNumbers } from './keep-numbers.tsx';
import { contactIn, PayText } from './pay-text.tsx';
import { Payments } from './payments.tsx';
import PlanLoss from './plan-loss.tsx';
import { planSentence } from './plan-sentence.ts';
import { RequestPlan } from './request-plan.tsx';
import { Usage } from './usage.tsx';
import { plan as texts } from './words.ts';

/** What the account has, until when, what it costs, how to pay, and what happens without a payment. */
export function PlanPage() {
  const { account, admin } = useMe();
  const trpc = useTRPC();
  const plan = usePlan();
  const { data, error, refetch } = useQuery(trpc.account.usage.queryOptions());
  const contact = data ? contactIn(data.howToPay) : '';
  const instructed = Boolean(data?.howToPay.text);
  const working = plan.state === 'active' || plan.state === 'grace';
  return (
    <>
      <PageHead title={texts.title} lead={texts.lead(account.name)} />
      <AccountTabs />
      <PlanState plan={plan} />
      {data?.planLoss && <PlanLoss loss={data.planLoss} />}
      {working && !plan.suspended && plan.numbersUsed > plan.numbersIncluded && <KeepNumbers plan={plan} />}
      <div className="grid grid-cols-1 items-start gap-x-5 gap-y-7 lg:grid-cols-2">
        {!working && !plan.suspended && (
          <RequestPlan plan={plan} working={false} contact={contact} instructed={instructed} />
        )}
        <Section title={texts.pay.title}>
          <Card className="p-4">
            {data ? (
              <PayText pay={data.howToPay} state={plan.state} editable={admin} />
            ) : (
              <SkeletonRows rows={3} />
            )}
          </Card>
        </Section>
        {working && plan.ends && <Unpaid ends={plan.ends} />}
        {working && !plan.suspended && (
          <RequestPlan plan={plan} working contact={contact} instructed={instructed} />
        )}
      </div>
      <Failure error={error} retry={refetch} />
      {(data || !error) && <Usage usage={data} />}
      {account.role === 'owner' && <Payments />}
    </>
  );
}

function PlanState({ plan }: { plan: Outputs['account']['plan'] }) {
  const { tone, title, text } = planSentence(plan);
  const { facts } = texts;
  return (
    <div className="grid grid-cols-1 items-start gap-5 lg:grid-cols-2">
      <h2 className="sr-only">{facts.label}</h2>
      <Note tone={tone} title={title}>
        {text}
      </Note>
      <Card>
        <DescriptionList
          rows={[
            [facts.state, <PlanBadge key="state" state={plan.state} suspended={plan.suspended} />],
            [facts.until, plan.paidUntil ? day(plan.paidUntil) : facts.none],
            [
              facts.used,
              <span key="used" className="flex items-center gap-3">
                <span className="whitespace-nowrap">
                  {facts.usedOf(plan.numbersUsed, plan.numbersIncluded)}
                </span>
                <PlanBar plan={plan} className="max-w-[140px] flex-1" />
              </span>,
            ],
            [facts.price, facts.priceOf(plan.price, plan.numbersIncluded)],
          ]}
        />
        <p className="border-t border-line-soft px-4 py-2.5 text-12 text-ink-3">{facts.counts}</p>
      </Card>
    </div>
  );
}

/** What happens when a plan is not paid, in the order in which it happens. */
function Unpaid({ ends }: { ends: string }) {
  const { unpaid } = texts;
  return (
    <Section title={unpaid.title}>
      <Card className="p-4 text-13 text-ink-2">
        <ol className="list-decimal space-y-1 pl-4">
          {unpaid.steps(ends).map((step) => (
            <li key={step}>{step}</li>
          ))}
        </ol>
        <p className="mt-2">{unpaid.after}</p>
      </Card>
    </Section>
  );
}
