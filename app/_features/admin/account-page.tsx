'use client';

import { useMutation, useQuery, useQueryClient } from '@tanstack/react-query';
import { Eye, Users } from 'lucide-react';
import { Button } from '#app/_components/ui/button.tsx';
import { ButtonLink } from '#app/_components/ui/button-link.tsx';
import { Card, Section } from '#app/_components/ui/card.tsx';
import { Confirm } from '#app/_components/ui/confirm.tsx';
import { CopyButton } from '#app/_components/ui/copy-button.tsx';
import { DescriptionList } from '#app/_components/ui/description-list.tsx';
import { Empty } from '#app/_components/ui/empty.tsx';
import { Failure } from '#app/_components/ui/failure.tsx';
import { LinkDialog } from '#app/_components/ui/link-dialog.tsx';
import { Note } from '#app/_components/ui/note.tsx';
import { SkeletonRows } from '#app/_components/ui/skeleton.tsx';
import { day } from '#app/_components/ui/time.tsx';
import { account as accountWords } from '#app/_features/account/words.ts';
import { Page, PageHead } from '#app/_features/shell/page.tsx';
import { useTRPC } from '#app/_trpc/client.ts';
import { useFeedback } from '#app/_trpc/use-feedback.ts';
import { runningTerms } from '#server/core/access.ts';
import { AccountNumbers } from './account-numbers.tsx';
import { AccountPayments } from './account-payments.tsx';
import type { AdminAccount } from './admin-account.ts';
import { AuditEntries } from './audit-entries.tsx';
import { PlanBadge } from './plan-badge.tsx';
import { PlanForm } from './plan-form.tsx';
import { Unconfirmed } from './unconfirmed.tsx';
import { admin } from './words.ts';

const texts = admin.account;
const resetTexts = accountWords.resetLink;
/** One account: plan, payments, activity. */
export function AccountPage({ accountId }: { accountId: string }) {
  const trpc = useTRPC();
  const { data, error, refetch } = useQuery(trpc.admin.account.queryOptions({ accountId }));
  const missing = error?.data?.appCode === 'not_found';
  return (
    <Page crumbs={[{ label: admin.accounts.title, href: '/admin/accounts' }, { label: data?.name ?? '…' }]}>
      {missing && (
        <Card>
          <Empty
            icon={<Users />}
            title={texts.notFound}
            action={<ButtonLink href="/admin/accounts">{admin.accounts.title}</ButtonLink>}
          />
        </Card>
      )}
      {error && !missing && <Failure error={error} retry={refetch} />}
      {!data && !error && (
        <Card>
          <SkeletonRows rows={6} />
        </Card>
      )}
      {data && <Account account={data} />}
    </Page>
  );
}

function Account({ account }: { account: AdminAccount }) {
  const { plan } = account;
  const running = plan.state === 'active' || plan.state === 'grace';
  return (
    <>
      <PageHead
        title={account.name}
        badge={<PlanBadge state={plan.state} suspended={plan.suspended} />}
        lead={account.email ?? undefined}
        actions={
          <>
            <ViewButton accountId={account.accountId} />
            {account.email && <ResetLink email={account.email} />}
            <Suspension account={account} />
            {running && <EndPlan account={account} />}
          </>
        }
      />
      <div className="grid grid-cols-1 items-start gap-x-5 gap-y-7 lg:grid-cols-[minmax(0,1.25fr)_minmax(0,1fr)]">
        <Section title={plan.state === 'none' ? texts.enable : texts.change} aside={texts.price(plan.price)}>
          {account.planRequest && <Requested request={account.planRequest} />}
          <PlanForm key={`${plan.paidUntil}-${plan.state}`} account={account} />
        </Section>
        <Facts account={account} />
      </div>
      {account.unconfirmed.length > 0 && <Unconfirmed emails={account.unconfirmed} />}
      <AccountNumbers account={account} />
      <AccountPayments account={account} />
      <Section title={texts.log}>
        <AuditEntries filter={{ accountId: account.accountId }} />
      </Section>
    </>
  );
}

/** What the customer asks for; enabling the plan below answers it. */
function Requested({ request }: { request: NonNullable<AdminAccount['planRequest']> }) {
  const { requests } = admin;
  return (
    <Note tone="wait" title={texts.asks(request.numbers)}>
      <p>{requests.contact(request.contact)}</p>
      {request.note && <p>{requests.note(request.note)}</p>}
    </Note>
  );
}

function Facts({ account }: { account: AdminAccount }) {
  const { plan } = account;
  const rows: [string, React.ReactNode][] = [
    [texts.state, <PlanBadge key="state" state={plan.state} suspended={plan.suspended} />],
    [texts.until, plan.paidUntil ? day(plan.paidUntil) : texts.never],
    ...(plan.ends === null
      ? []
      : [[plan.state === 'expired' ? texts.ended : texts.ends, plan.ends] as [string, string]]),
    [texts.used, texts.usedOf(plan.numbersUsed, plan.numbersIncluded)],
    [texts.owner, account.email],
    [
      texts.id,
      <span key="id" className="flex min-w-0 items-center gap-1">
        <span className="truncate font-mono text-12">{account.accountId}</span>
        <CopyButton text={account.accountId} label={texts.copyId} />
      </span>,
    ],
  ];
  return (
    <Section title={texts.plan}>
      <Card>
        <DescriptionList rows={rows} />
      </Card>
    </Section>
  );
}

function EndPlan({ account }: { account: AdminAccount }) {
  const trpc = useTRPC();
  const queryClient = useQueryClient();
  const end = useMutation(
    trpc.admin.deactivatePlan.mutationOptions({ onSettled: () => queryClient.invalidateQueries() }),
  );
  return (
    <Confirm
      trigger={<Button variant="danger">{texts.end}</Button>}
      {...admin.endDialog(account.name)}
      onConfirm={() => end.mutateAsync({ accountId: account.accountId, seen: runningTerms(account.plan) })}
    />
  );
}

/** Creates a one-time link to set a new password. */
function ResetLink({ email }: { email: string }) {
  const trpc = useTRPC();
  const { failed } = useFeedback();
  const make = useMutation(trpc.admin.resetLink.mutationOptions({ onError: failed }));
  return (
    <>
      <Button busy={make.isPending} onClick={() => make.mutate({ email })}>
        {resetTexts.make}
      </Button>
      {make.data && (
        <LinkDialog
          link={make.data.link}
          {...resetTexts}
          text={resetTexts.text(email)}
          onClose={() => make.reset()}
        />
      )}
    </>
  );
}

/** Suspends the account after a confirmation, or resumes it. */
function Suspension({ account: { accountId, name, plan } }: { account: AdminAccount }) {
  const trpc = useTRPC();
  const { done, failed, refresh } = useFeedback();
  const suspend = useMutation(trpc.admin.suspendAccount.mutationOptions({ onSuccess: () => refresh() }));
  if (plan.suspended)
    return (
      <Button
        busy={suspend.isPending}
        onClick={() =>
          suspend.mutate(
            { accountId, suspended: false },
            {
              onSuccess: () => done(texts.resumed(name)),
              onError: failed,
            },
          )
        }
      >
        {texts.resume}
      </Button>
    );
  return (
    <Confirm
      trigger={<Button variant="danger">{texts.suspend}</Button>}
      {...admin.suspendDialog(name)}
      onConfirm={() => suspend.mutateAsync({ accountId, suspended: true })}
    />
  );
}

/** Shows the account's pages as a member sees them, until the administrator ends it in the bar at the top. */
function ViewButton({ accountId }: { accountId: string }) {
  const trpc = useTRPC();
  const { failed } = useFeedback();
  const begin = useMutation(
    trpc.admin.beginView.mutationOptions({
      onSuccess: () => window.location.assign('/'),
      onError: failed,
    }),
  );
  return (
    <Button busy={begin.isPending || begin.isSuccess} onClick={() => begin.mutate({ accountId })}>
      <Eye />
      {texts.view}
    </Button>
  );
}
