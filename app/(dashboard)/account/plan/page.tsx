import type { Metadata } from 'next';
import { PlanPage } from '#app/_components/plan/plan-page.tsx';
import { Page } from '#app/_components/shell/page.tsx';
import { account } from '#app/_texts/account.ts';
import { plan } from '#app/_texts/plan.ts';

export const metadata: Metadata = { title: plan.title };

export default function AccountPlanPage() {
  return (
    <Page crumbs={[{ label: account.title, href: '/account' }, { label: plan.title }]}>
      <PlanPage />
    </Page>
  );
}
